{{- define "packhouse.labels" -}}
app.kubernetes.io/name: packhouse
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}
