{{/* Every object is named after the release. */}}
{{- define "seatwise.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end -}}

{{- define "seatwise.selector" -}}
app.kubernetes.io/name: seatwise
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "seatwise.labels" -}}
{{ include "seatwise.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What servers and the migration have in common: the user without rights, and where nodes may be. */}}
{{- define "seatwise.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: temporary
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
{{- end -}}

{{/* The program with its settings; only /tmp is written to. */}}
{{- define "seatwise.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef:
      name: {{ required "existingSecret names a Secret with DATABASE_URL, REDIS_URL, SEATWISE_SECRET and the first operator" .Values.existingSecret }}
env:
  - name: SEATWISE_PUBLIC_URL
    value: {{ required "publicUrl says where visitors reach the sale" .Values.publicUrl | quote }}
  - name: SEATWISE_TRUST_PROXY
    value: {{ required "trustProxy names the addresses of your ingress controller" .Values.trustProxy | quote }}
  - name: SEATWISE_DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
{{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
{{- end }}
volumeMounts:
  - name: temporary
    mountPath: /tmp
resources: {{- toYaml .Values.resources | nindent 2 }}
{{- end -}}
