{{- define "cache.labels" -}}
domain: {{ .Values.global.domain }}
part-of: {{ .Release.Name }}
{{- end -}}
