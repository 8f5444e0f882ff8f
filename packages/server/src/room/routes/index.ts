import type { App } from '../../http-server.ts'
import type { Services } from '../../services.ts'
import { operatorRoutes } from './operator-routes.ts'
import { publicRoutes } from './public-routes.ts'
import { queueRoutes, type RoomAddress } from './queue-routes.ts'

/** The room of an event at the event's address, and every room at its own: the same routes twice. */
export function roomRoutes(app: App, services: Services): void {
  const addresses: readonly RoomAddress[] = [
    { path: '/api/events/:id', find: (id) => services.rooms.ofEvent(id) },
    { path: '/api/rooms/:id', find: (id) => services.rooms.byId(id) },
  ]
  for (const address of addresses) {
    queueRoutes(app, services, address)
    publicRoutes(app, services, address)
    operatorRoutes(app, services, address)
  }
}
