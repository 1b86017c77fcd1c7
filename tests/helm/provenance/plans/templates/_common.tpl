{{- define "plans.render" -}}
{{- $value := typeIs "string" .value | ternary .value (.value | toYaml) }}
{{- if contains "{{" (toJson .value) }}
{{- tpl $value .context }}
{{- else }}
{{- $value }}
{{- end }}
{{- end -}}
{{- define "plans.job" -}}
{{- $merged := mergeOverwrite (deepCopy .root.Values.common) .job -}}
schedule: {{ $merged.schedule | quote }}
retries: {{ $merged.retries }}
backoff: {{ $merged.backoff }}
tags:
  {{- toYaml $merged.tags | nindent 2 }}
{{- end -}}
{{- define "plans.size" -}}
{{- if eq .Values.size "small" -}}
1
{{- else if eq .Values.size "big" -}}
3
{{- else -}}
2
{{- end -}}
{{- end -}}
