{{/* The labels by which the Service and the policies find the pods. They never change. */}}
{{- define "sotto.selector" -}}
app.kubernetes.io/name: sotto
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* A probe names the host, because a replica refuses requests with another one. */}}
{{- define "sotto.host" -}}
- name: Host
  value: {{ .Values.host | quote }}
{{- end }}

{{- define "sotto.labels" -}}
{{ include "sotto.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}
