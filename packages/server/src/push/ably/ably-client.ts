import type { Rest, TokenRequest } from 'ably'
import type { RealtimeSettings } from '../../config/index.ts'
import { hostOptions } from './ably-hosts.ts'

/** The part of Ably that we use. */
export interface AblyClient {
  /** Ably ignores a repeated id: at least once becomes exactly once. */
  publish(channel: string, message: { id: string; name: string; data: string }): Promise<void>
  /** Signed here, without asking Ably; valid for `capability`. */
  tokenRequest(clientId: string, capability: Record<string, ('subscribe' | 'presence')[]>): Promise<TokenRequest>
  /** How many connections are attached to a channel. */
  occupancy(channel: string): Promise<number>
}

const TIMEOUT_MS = 5_000
/** The longest time that the old device still gets messages after a hand-over; see docs/push.md. */
const TOKEN_MS = 5 * 60_000
const SILENT = 0

/** Ably, through its own SDK. */
export async function openAbly({ key, url }: RealtimeSettings & { provider: 'ably' }): Promise<AblyClient> {
  // Loaded only by deployments that use it.
  const { default: Ably } = await import('ably')
  const rest: Rest = new Ably.Rest({
    key,
    ...hostOptions(url),
    // Over plain HTTP, Ably accepts a key only in exchange for a token.
    ...(url?.startsWith('http:') ? { useTokenAuth: true } : {}),
    useBinaryProtocol: false,
    httpRequestTimeout: TIMEOUT_MS,
    logLevel: SILENT,
  })
  return {
    async publish(channel, message) {
      await rest.channels.get(channel).publish(message)
      // A room has a channel for each ticket: the SDK would keep them all in memory.
      rest.channels.release(channel)
    },
    tokenRequest: (clientId, capability) => rest.auth.createTokenRequest({ clientId, capability, ttl: TOKEN_MS }),
    async occupancy(channel) {
      const { status } = await rest.channels.get(channel).status()
      return status.occupancy.metrics.connections
    },
  }
}
