{{- define "gates.clustered" -}}
{{- eq .Values.mode "cluster" -}}
{{- end -}}
{{- define "gates.secret" -}}
{{- if .Values.auth.secret -}}
{{ .Values.auth.secret }}
{{- else if .Values.auth.live -}}
{{ include "gates.full" . }}-{{ .Values.auth.kind }}
{{- end -}}
{{- end -}}
{{- define "gates.full" -}}
{{- if .Values.names.full }}
{{- .Values.names.full }}
{{- else }}
{{- $name := default .Chart.Name .Values.names.short }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" $name .Values.names.suffix | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end -}}
{{- define "gates.size" -}}
{{- ternary "large" "small" (gt (int .Values.persist.size) 4) -}}
{{- end -}}
{{- define "gates.probe" }}
{{- if .probe.http }}
httpGet: {{- toYaml .probe.http | nindent 2 }}
{{- end }}
periodSeconds: {{ .probe.every }}
{{- end }}
{{- define "gates.first" -}}
{{- range $i, $word := splitList " " .words -}}
{{- if eq $i 0 -}}{{ $word }}{{- end -}}
{{- end -}}
{{- end -}}
{{- define "gates.list" -}}
{{- $found := list -}}
{{- range .Values.hosts -}}
{{- if .tls -}}
{{- $found = append $found .name -}}
{{- end -}}
{{- end -}}
{{- $found | toJson -}}
{{- end -}}
