import type { App } from '../../http/index.ts'
import { challengeRoutes } from '../challenge/routes.ts'
import type { RoomServices } from '../room-services.ts'
import { measureRoomTokens } from '../tokens/room-tokens.ts'
import { drawRoutes } from './draw-routes.ts'
import { holdingRoutes } from './holding-routes.ts'
import { joiningRoutes } from './joining-routes.ts'
import { logRoutes } from './log-routes.ts'
import { neighborRoutes } from './neighbor-routes.ts'
import { operatorRoutes } from './operator-routes.ts'
import { publicRoutes } from './public-routes.ts'
import { addressesOf, type ToldOfVisitors } from './room-address.ts'

/** The room of an event below the event's path, and every room at its own: the same routes twice. */
export function roomRoutes(app: App, services: RoomServices, told: ToldOfVisitors): void {
  challengeRoutes(app, services)
  measureRoomTokens(services.metrics, services.roomTokens)
  for (const address of addressesOf(services)) {
    const parts = { ...services, ...told, address }
    joiningRoutes(app, parts)
    holdingRoutes(app, parts)
    neighborRoutes(app, parts)
    publicRoutes(app, services, address)
    logRoutes(app, address)
    drawRoutes(app, services, address)
    operatorRoutes(app, services, { ...address, find: address.findAny })
  }
}
