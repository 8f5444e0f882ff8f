export { listeningOrigins } from './ably/ably-hosts.ts'
export { openRealtime } from './open-realtime.ts'
export { realtimeRoutes } from './routes.ts'
