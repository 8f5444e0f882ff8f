import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseRedisUrl, type RedisTarget } from '@seatwise/line'
import { type Beacon, readBeacon } from './beacon.ts'
import { isNetwork } from './is-network.ts'
import { type OpenidSettings, readOpenid } from './openid.ts'
import { readOrigins } from './origins.ts'
import { type PaymentSettings, readPayments } from './payments.ts'
import { readTraces, type TraceSettings } from './traces.ts'
import { readWallets, type WalletSettings } from './wallets.ts'

/** Every external setting, validated and in its final form. `docs/settings.md` explains each one. */
export interface Config {
  readonly mode: 'embedded' | 'distributed'
  readonly host: string
  /** 0 lets the operating system choose a free port. */
  readonly port: number
  /** An absolute path. */
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databaseReplicaUrl: string | null
  readonly redis: RedisTarget | null
  readonly adminEmail: string | null
  readonly adminPassword: string | null
  /** The first secret signs, all verify. Empty when none is set: the server then makes one in the data folder. */
  readonly secrets: readonly Buffer[]
  readonly demo: boolean
  readonly signup: 'closed' | 'open'
  /** Managers and admins must sign in with more than a password or a mail. */
  readonly strongSignIn: boolean
  /** Refunds of purchases over this amount need a fresh sign-in; in the smallest unit of the currency. */
  readonly freshRefundOver: number
  readonly rateLimits: boolean
  readonly logLevel: LogLevel
  /** Addresses and networks of proxies that are trusted to set X-Forwarded-* and X-Request-Id. */
  readonly trustedProxies: readonly string[]
  /** Other sites whose scripts may read what is public here. */
  readonly readingOrigins: readonly string[]
  /** The public address of this site, without a trailing slash; null means the address it listens on. */
  readonly publicUrl: string | null
  /** An smtp: or smtps: URL with credentials; null without a mail server. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** Allows webhooks to private addresses and over plain HTTP. */
  readonly privateWebhooks: boolean
  /** How long the server keeps serving after readiness fails, so that load balancers notice. */
  readonly drainSeconds: number
  readonly beacon: Beacon
  /** How long addresses and devices of ended tickets, and copies of mail, are kept. */
  readonly retentionDays: number
  /** The house's own provider, by which staff signs in; null without one. */
  readonly openid: OpenidSettings | null
  readonly payments: PaymentSettings
  readonly wallets: WalletSettings
  readonly realtime: RealtimeSettings
  /** The maximum number of push connections, if the operating system allows as many. */
  readonly socketsMax: number
  readonly socketsPerAddress: number
  /** Null without an OTLP endpoint. */
  readonly traces: TraceSettings | null
  /** How many processes share the port; above 1 only in distributed mode. */
  readonly workers: number
  /** Named fault points to arm; set only by the project's own tests. */
  readonly faults: string | null
}

export type RealtimeSettings =
  | { readonly provider: 'builtin' }
  | { readonly provider: 'ably'; readonly key: string; readonly url: string | null }

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const SETTINGS = [
  'HOST',
  'PORT',
  'SEATWISE_DATA_DIR',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'SEATWISE_ADMIN_EMAIL',
  'SEATWISE_ADMIN_PASSWORD',
  'SEATWISE_SECRET',
  'SEATWISE_DEMO',
  'SEATWISE_SIGNUP',
  'SEATWISE_STRONG_SIGN_IN',
  'SEATWISE_FRESH_REFUND_OVER',
  'SEATWISE_RATE_LIMITS',
  'SEATWISE_LOG_LEVEL',
  'SEATWISE_TRUST_PROXY',
  'SEATWISE_PUBLIC_URL',
  'SEATWISE_READING_ORIGINS',
  'SEATWISE_SMTP_URL',
  'SEATWISE_MAIL_FROM',
  'SEATWISE_PRIVATE_WEBHOOKS',
  'SEATWISE_DRAIN_SECONDS',
  'SEATWISE_DRAND_URLS',
  'SEATWISE_DRAND_CHAIN',
  'SEATWISE_RETENTION_DAYS',
  'SEATWISE_OPENID_ISSUER',
  'SEATWISE_OPENID_CLIENT_ID',
  'SEATWISE_OPENID_CLIENT_SECRET',
  'SEATWISE_OPENID_DOMAINS',
  'SEATWISE_OPENID_GROUPS_CLAIM',
  'SEATWISE_OPENID_ROLES',
  'SEATWISE_PAYMENTS',
  'SEATWISE_STRIPE_KEY',
  'SEATWISE_STRIPE_WEBHOOK_SECRET',
  'SEATWISE_STRIPE_URL',
  'SEATWISE_STRIPE_FEE_PERCENT',
  'SEATWISE_MOLLIE_KEY',
  'SEATWISE_MOLLIE_URL',
  'SEATWISE_APPLE_PASS_TYPE',
  'SEATWISE_APPLE_TEAM',
  'SEATWISE_APPLE_CERTIFICATE',
  'SEATWISE_APPLE_KEY',
  'SEATWISE_APPLE_WWDR',
  'SEATWISE_GOOGLE_WALLET_ISSUER',
  'SEATWISE_GOOGLE_WALLET_KEY',
  'SEATWISE_REALTIME',
  'SEATWISE_ABLY_URL',
  'ABLY_API_KEY',
  'SEATWISE_SOCKETS_MAX',
  'SEATWISE_SOCKETS_PER_ADDRESS',
  'SEATWISE_WORKERS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
  'SEATWISE_FAULTS',
] as const
type Setting = (typeof SETTINGS)[number]

const SECRET_BYTES_MIN = 32
/** More processes than the largest machines have cores for would be a mistake. */
const WORKERS_MAX = 256

export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Bad configuration:\n- ${problems.join('\n- ')}`)
    this.problems = problems
  }
}

/** Reads the environment once, at start-up, and reports all problems together. No other code reads `process.env`. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = []
  const distributed = value('REDIS_URL') !== null || value('DATABASE_URL') !== null
  const config: Config = {
    mode: distributed ? 'distributed' : 'embedded',
    host: value('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', 3_000, 65_535),
    dataDir: resolve(value('SEATWISE_DATA_DIR') ?? '.seatwise'),
    databaseUrl: postgresUrl('DATABASE_URL'),
    databaseReplicaUrl: postgresUrl('DATABASE_REPLICA_URL'),
    redis: redis('REDIS_URL'),
    adminEmail: email('SEATWISE_ADMIN_EMAIL'),
    adminPassword: value('SEATWISE_ADMIN_PASSWORD'),
    secrets: secrets('SEATWISE_SECRET'),
    demo: onOrOff('SEATWISE_DEMO', !distributed),
    signup: oneOf('SEATWISE_SIGNUP', ['closed', 'open'], 'closed'),
    strongSignIn: oneOf('SEATWISE_STRONG_SIGN_IN', ['off', 'required'], 'off') === 'required',
    freshRefundOver: wholeNumber('SEATWISE_FRESH_REFUND_OVER', 20_000, 999_999_999),
    rateLimits: onOrOff('SEATWISE_RATE_LIMITS', true),
    logLevel: oneOf('SEATWISE_LOG_LEVEL', LOG_LEVELS, 'info'),
    trustedProxies: networks('SEATWISE_TRUST_PROXY'),
    publicUrl: publicUrl('SEATWISE_PUBLIC_URL'),
    readingOrigins: readOrigins('SEATWISE_READING_ORIGINS', value('SEATWISE_READING_ORIGINS'), problems),
    smtpUrl: smtpUrl('SEATWISE_SMTP_URL'),
    mailFrom: mailFrom('SEATWISE_MAIL_FROM'),
    privateWebhooks: onOrOff('SEATWISE_PRIVATE_WEBHOOKS', false),
    beacon: readBeacon(value('SEATWISE_DRAND_URLS'), value('SEATWISE_DRAND_CHAIN'), problems),
    drainSeconds: wholeNumber('SEATWISE_DRAIN_SECONDS', 0, 300),
    retentionDays: wholeNumber('SEATWISE_RETENTION_DAYS', 30, 36_500),
    openid: readOpenid(value, problems),
    payments: readPayments(value, problems),
    wallets: readWallets(value, problems),
    realtime: realtime('SEATWISE_REALTIME'),
    socketsMax: wholeNumber('SEATWISE_SOCKETS_MAX', 20_000, 1_000_000),
    socketsPerAddress: wholeNumber('SEATWISE_SOCKETS_PER_ADDRESS', 500, 1_000_000),
    traces: readTraces(value, problems),
    workers: workers('SEATWISE_WORKERS'),
    faults: faults('SEATWISE_FAULTS'),
  }
  checkTogether(config)
  refuseUnknown()
  if (problems.length > 0) throw new BadConfiguration(problems)
  return Object.freeze(config)

  /** An empty variable counts as unset, because many tools write unset variables that way. */
  function value(name: Setting): string | null {
    const text = env[name]?.trim()
    return text === undefined || text === '' ? null : text
  }

  function wholeNumber(name: Setting, otherwise: number, max: number): number {
    const text = value(name)
    if (text === null) return otherwise
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (number <= max) return number
    problems.push(`${name} must be a whole number from 0 to ${max}, not "${text}".`)
    return otherwise
  }

  function onOrOff(name: Setting, otherwise: boolean): boolean {
    const text = value(name)
    if (text === null) return otherwise
    if (text === 'on' || text === 'off') return text === 'on'
    problems.push(`${name} must be "on" or "off", not "${text}".`)
    return otherwise
  }

  function oneOf<Word extends string>(name: Setting, words: readonly Word[], otherwise: Word): Word {
    const text = value(name) ?? otherwise
    const known = words.find((word) => word === text)
    if (known === undefined) problems.push(`${name} must be one of ${words.join(', ')}, not "${text}".`)
    return known ?? otherwise
  }

  function email(name: Setting): string | null {
    const text = value(name)
    if (text !== null && !/^[^\s@]+@[^\s@]+$/.test(text)) problems.push(`${name} must be an email address.`)
    return text
  }

  /** Problems never repeat the value, because it may hold a password. */
  function postgresUrl(name: Setting): string | null {
    const text = value(name)
    if (text === null) return null
    const protocol = URL.canParse(text) ? new URL(text).protocol : ''
    if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
      problems.push(`${name} must look like postgres://user:password@host:5432/database.`)
    }
    return text
  }

  function redis(name: Setting): RedisTarget | null {
    const text = value(name)
    if (text === null) return null
    const parsed = parseRedisUrl(text)
    if (parsed.status === 'parsed') return parsed.target
    problems.push(`${name} ${parsed.problem}`)
    return null
  }

  function secrets(name: Setting): readonly Buffer[] {
    const text = value(name)
    if (text === null) {
      if (distributed) {
        problems.push(
          `${name} is required with DATABASE_URL and REDIS_URL, because all servers must share it. ` +
            'Make one with: openssl rand -base64 32',
        )
      }
      return []
    }
    return text.split(',').map((part, index) => {
      const encoded = part.trim()
      const bytes = Buffer.from(encoded, 'base64')
      if (!/^[\w+/-]+={0,2}$/.test(encoded) || bytes.length < SECRET_BYTES_MIN) {
        problems.push(
          `${name} (part ${index + 1}) must be base64 of at least ${SECRET_BYTES_MIN} bytes. Make one with: openssl rand -base64 32`,
        )
      }
      return bytes
    })
  }

  function networks(name: Setting): readonly string[] {
    const list = (value(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    for (const network of list) {
      if (!isNetwork(network)) {
        problems.push(`${name} must list addresses or networks such as 10.0.0.1, 10.0.0.0/8; "${network}" is neither.`)
      }
    }
    return list
  }

  /** Problems never repeat the value, because it may hold a password. */
  function smtpUrl(name: Setting): string | null {
    const text = value(name)
    const url = text === null ? null : URL.parse(text)
    if (text !== null && (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')) {
      problems.push(`${name} must look like smtp://user:password@host:587 or smtps://user:password@host:465.`)
    }
    return text
  }

  function mailFrom(name: Setting): string {
    const text = value(name) ?? 'Seatwise <no-reply@localhost>'
    if (!/^([^<>@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text)) {
      problems.push(`${name} must look like tickets@example.com or Box office <tickets@example.com>.`)
    }
    return text
  }

  function publicUrl(name: Setting): string | null {
    const text = value(name)
    if (text === null) return null
    const url = URL.canParse(text) ? new URL(text) : null
    const isOrigin =
      url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === ''
    if (isOrigin && url.username === '') return url.origin
    problems.push(`${name} must be an origin such as https://tickets.example.com, without a path.`)
    return null
  }

  /** Problems never repeat the key's value. */
  function realtime(name: Setting): RealtimeSettings {
    const provider = value(name) ?? 'builtin'
    const key = value('ABLY_API_KEY')
    const url = value('SEATWISE_ABLY_URL')
    if (url !== null && !/^https?:\/\/[^/?#@]+\/?$/.test(url))
      problems.push('SEATWISE_ABLY_URL must be an origin such as https://main.realtime.ably.net.')
    else if (provider === 'ably' && key !== null && /^[^.:]+\.[^.:]+:.+$/.test(key)) return { provider, key, url }
    else if (provider === 'ably') problems.push(`${name}=ably needs ABLY_API_KEY, which looks like app.key:secret.`)
    else if (provider !== 'builtin') problems.push(`${name} must be "builtin" or "ably", not "${provider}".`)
    return { provider: 'builtin' }
  }

  function workers(name: Setting): number {
    const text = value(name) ?? '1'
    const number = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
    if (text !== 'auto' && !(number >= 1 && number <= WORKERS_MAX)) {
      problems.push(`${name} must be "auto" or a whole number from 1 to ${WORKERS_MAX}, not "${text}".`)
      return 1
    }
    if (number !== 1 && !distributed) {
      problems.push(
        `${name}=${text} needs DATABASE_URL and REDIS_URL: an embedded server is one process, because only one can open its data folder.`,
      )
    }
    return text === 'auto' ? availableParallelism() : number
  }

  /** Faults end the process on purpose, so a stray variable must not arm them in production. */
  function faults(name: Setting): string | null {
    const plan = value(name)
    if (plan !== null && env.NODE_ENV !== 'test') problems.push(`${name} is for tests only: it needs NODE_ENV=test.`)
    return plan
  }

  function checkTogether(read: Config): void {
    if (read.databaseUrl !== null && value('REDIS_URL') === null) {
      problems.push('DATABASE_URL is set but REDIS_URL is not: set both (distributed mode) or neither (embedded mode).')
    }
    if (value('REDIS_URL') !== null && read.databaseUrl === null) {
      problems.push('REDIS_URL is set but DATABASE_URL is not: set both (distributed mode) or neither (embedded mode).')
    }
    if (read.databaseReplicaUrl !== null && read.databaseUrl === null) {
      problems.push('DATABASE_REPLICA_URL needs DATABASE_URL: a replica is only read beside its primary.')
    }
    if (read.strongSignIn && !makesPasskeys(read)) {
      problems.push(
        'SEATWISE_STRONG_SIGN_IN=required needs a SEATWISE_PUBLIC_URL with https or localhost: browsers make passkeys for no other.',
      )
    }
    if (read.smtpUrl !== null && value('SEATWISE_MAIL_FROM') === null) {
      problems.push('SEATWISE_SMTP_URL needs SEATWISE_MAIL_FROM: the address that buyers see and answer to.')
    }
    if ((read.adminEmail === null) !== (read.adminPassword === null)) {
      problems.push('SEATWISE_ADMIN_EMAIL and SEATWISE_ADMIN_PASSWORD go together: set both or neither.')
    }
  }

  /** Without this check, a misspelt setting would silently have no effect. */
  function refuseUnknown(): void {
    const known = new Set<string>(SETTINGS)
    for (const name of Object.keys(env)) {
      if (name.startsWith('SEATWISE_') && !known.has(name)) {
        problems.push(`${name} is not a setting of Seatwise; docs/settings.md lists them.`)
      }
    }
  }
}

/** An embedded server without a public address is reached at localhost. */
function makesPasskeys({ publicUrl, mode }: Config): boolean {
  if (publicUrl === null) return mode === 'embedded'
  return publicUrl.startsWith('https:') || new URL(publicUrl).hostname === 'localhost'
}
