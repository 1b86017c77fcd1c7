{{- define "kit.name" -}}
{{ .prefix }}-{{ .chart.Name | trunc 63 }}
{{- end }}
{{- define "kit.labels" -}}
team: {{ .Values.kit.global.team }}
{{- if include "kit.modern" . }}
era: modern
{{- else }}
era: old
{{- end }}
{{- end }}
{{- define "kit.modern" -}}
{{- if eq .Values.kit.prefix "acme" }}yes{{ end -}}
{{- end }}
