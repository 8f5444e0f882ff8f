import type { AblyAccess, AblyModule } from './ably-types.ts'
import type { Listen } from './connection.ts'

/**
 * Listens through Ably where the server publishes there, and otherwise through the server's own socket:
 * `joinLine({ eventId, listen: throughAbly(() => import('ably')) })`. Ably's module is loaded only in the first case.
 */
export function throughAbly(load: () => Promise<AblyModule | { readonly default: AblyModule }>): Listen {
  return (parts) => {
    let close = () => {}
    let isClosed = false
    const askAccess = () => parts.ask<AblyAccess>(`/queue/realtime-token${parts.presence ? '?presence=true' : ''}`)
    const begin = async () => {
      const access = await askAccess()
      if (isClosed) return
      if (access.provider !== 'ably') {
        close = parts.socket()
        return
      }
      // What speaks to Ably is loaded with it: most servers have a socket of their own.
      const [loaded, { listenByAbly }] = await Promise.all([load(), import('./listen-by-ably.ts')])
      if (isClosed) return
      const module = 'default' in loaded ? loaded.default : loaded
      close = listenByAbly(module, { ...parts, access, askAccess })
    }
    // Neither the server nor Ably's module, or no socket here: polling goes on, and this is tried again.
    begin().catch(() => isClosed || parts.gone(0))
    return () => {
      isClosed = true
      close()
    }
  }
}
