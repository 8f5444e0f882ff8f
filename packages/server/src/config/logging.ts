import { trace } from '@opentelemetry/api'
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'

const HIDDEN = '[hidden]'

/** Field names under which code might log a secret by mistake; their values never reach the output. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'seatwise-ticket',
  'seatwise-pass',
  'password',
  'secret',
  'secrets',
  'token',
  'accessToken',
  'ticketToken',
  'activeToken',
  'databaseUrl',
  'databaseReplicaUrl',
  'redisUrl',
  'smtpUrl',
]

/** Text that looks like a secret anywhere in a line: bearer headers, JWTs, credentials in a URL. */
const SECRET_SHAPES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(bearer) +[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/"@]+@/gi, `$1${HIDDEN}@`],
]

/**
 * Structured logs, one JSON object per line. Requests and bodies are not logged at all. Two filters redact secrets that
 * are logged by mistake: one by field name, one that searches every finished line for the secrets of this
 * configuration.
 */
export function createLog(config: Config, destination?: DestinationStream): Logger {
  const values = secretValues(config)
  return pino(
    {
      level: config.logLevel,
      base: { service: 'seatwise', pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap(anywhere), censor: HIDDEN },
      ...(config.traces === null ? {} : { mixin: nameTrace }),
      hooks: { streamWrite: (line) => hideSecrets(line, values) },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
}

/** Of a line that is logged for a traced request. */
function nameTrace(): object {
  const span = trace.getActiveSpan()?.spanContext()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/** Up to three levels deep: deeper objects of ours hold no such fields, and the text search covers the rest. */
function anywhere(field: string): string[] {
  return ['', '*', '*.*', '*.*.*'].map((path) => (path === '' ? `["${field}"]` : `${path}["${field}"]`))
}

function hideSecrets(line: string, values: readonly string[]): string {
  let safe = line
  for (const value of values) safe = safe.replaceAll(value, HIDDEN)
  for (const [shape, replacement] of SECRET_SHAPES) safe = safe.replace(shape, replacement)
  return safe
}

/** The secrets as JSON spells them. Short ones are left out: redacting "a" everywhere would protect nothing. */
function secretValues(config: Config): string[] {
  const passwords = [config.databaseUrl, config.databaseReplicaUrl, config.smtpUrl].flatMap((url) => {
    const password = url !== null && URL.canParse(url) ? new URL(url).password : ''
    return [password, decodeURIComponent(password)]
  })
  const secrets = config.secrets.flatMap((secret) => [secret.toString('base64'), secret.toString('base64url')])
  const { payments } = config
  const ofProvider = 'key' in payments ? [payments.key] : []
  const ofWebhooks = 'webhookSecret' in payments ? [payments.webhookSecret] : []
  const all = [
    ...passwords,
    ...secrets,
    ...ofProvider,
    ...ofWebhooks,
    config.redis?.password ?? '',
    config.adminPassword ?? '',
    ...Object.values(config.traces?.headers ?? {}),
  ]
  return [...new Set(all)].filter((value) => value.length >= 6).map((value) => JSON.stringify(value).slice(1, -1))
}
