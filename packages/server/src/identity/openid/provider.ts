import type { Configuration } from 'openid-client'
import type { OpenidSettings } from '../../config/index.ts'

/** A provider that answers later than this counts as away: a person waits for it. */
const ANSWER_SECONDS_MAX = 5
/** A provider changes its addresses and keys rarely, and announces it; keys are read more often by the library itself. */
const METADATA_AGE_MS_MAX = 10 * 60_000

/** The library, loaded where it is used: houses without a provider never load it. */
export type OpenidClient = typeof import('openid-client')

export interface Provider {
  readonly settings: OpenidSettings
  /** Throws while the provider is away; the next call asks again. */
  connect(): Promise<{ readonly client: OpenidClient; readonly configuration: Configuration }>
}

/** The house's provider. It is asked for the first time when a person signs in by it, so a server starts without it. */
export function createProvider(settings: OpenidSettings, now: () => number): Provider {
  let known: { readonly configuration: Promise<Configuration>; readonly atMs: number } | null = null
  return {
    settings,
    async connect() {
      const client = await import('openid-client')
      if (known === null || now() - known.atMs > METADATA_AGE_MS_MAX) {
        const configuration = discover(client, settings)
        known = { configuration, atMs: now() }
        configuration.catch(() => {
          known = null
        })
      }
      return { client, configuration: await known.configuration }
    },
  }
}

async function discover(
  client: OpenidClient,
  { issuer, clientId, clientSecret }: OpenidSettings,
): Promise<Configuration> {
  // Settings allow plain http for this machine only.
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  const options = { execute, timeout: ANSWER_SECONDS_MAX }
  return await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
}

/** Errors of the library that say that the provider cannot be used now, and not that a person may not sign in. */
const AWAY: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

export function isProviderAway(error: unknown, { ClientError }: Pick<OpenidClient, 'ClientError'>): boolean {
  // `fetch` reports a broken connection as a TypeError.
  if (error instanceof TypeError) return true
  return error instanceof ClientError && AWAY.has(error.code ?? '')
}
