import type { RealtimeSettings } from '../../config/index.ts'

/** Where Ably's SDK connects to by default, in its order; a test compares them with the SDK. */
export const ABLY_HOSTS: readonly string[] = [
  'main.realtime.ably.net',
  ...['a', 'b', 'c', 'd', 'e'].map((letter) => `main.${letter}.fallback.ably-realtime.com`),
]
/** With these the SDK finds out whether the network or Ably is the problem. */
const CHECKS = ['https://internet-up.ably-realtime.com', 'wss://ws-up.ably-realtime.com']

/** Options of Ably's SDK for another address than its usual hosts; without one it also uses their fallbacks. */
export function hostOptions(url: string | null): object {
  if (url === null) return {}
  const { hostname, port, protocol, host } = new URL(url)
  const isSecure = protocol === 'https:'
  const at = port === '' ? {} : isSecure ? { tlsPort: Number(port) } : { port: Number(port) }
  const checks = { disableConnectivityCheck: true, wsConnectivityCheckUrl: `${isSecure ? 'wss' : 'ws'}://${host}` }
  return { endpoint: hostname, tls: isSecure, ...at, ...checks }
}

/** What a page that listens may connect to besides this site, for its content policy. */
export function listeningOrigins(realtime: RealtimeSettings): string[] {
  if (realtime.provider !== 'ably') return []
  if (realtime.url !== null) {
    const { origin } = new URL(realtime.url)
    return [origin, origin.replace(/^http/, 'ws')]
  }
  return [...ABLY_HOSTS.flatMap((host) => [`https://${host}`, `wss://${host}`]), ...CHECKS]
}
