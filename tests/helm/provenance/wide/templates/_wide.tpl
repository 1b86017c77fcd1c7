{{- define "wide.any" -}}
{{- range .Values.items -}}
{{- if and .live (gt (int .weight) 38) -}}
any
{{- end -}}
{{- end -}}
{{- end -}}
{{- define "wide.picked" -}}
{{- range .Values.items -}}
{{- if .live }}
{{ .name }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- define "wide.total" -}}
{{- $total := 0 -}}
{{- range .Values.items -}}
{{- if .live -}}
{{- $total = add $total (int .weight) -}}
{{- end -}}
{{- end -}}
{{- $total -}}
{{- end -}}
