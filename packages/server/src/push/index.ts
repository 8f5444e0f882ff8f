export { openRealtime } from './open-realtime.ts'
export { realtimeRoutes } from './routes.ts'
