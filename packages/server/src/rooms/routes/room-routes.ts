import type { App } from '../../http/index.ts'
import { challengeRoutes } from '../challenge/routes.ts'
import { deviceRoutes } from '../devices/routes.ts'
import { invitationRoutes } from '../invitations/routes.ts'
import { refusalRoutes } from '../refusals/routes.ts'
import { watchRefusals } from '../refusals/watch-refusals.ts'
import type { RoomServices } from '../room-services.ts'
import { measureRoomTokens } from '../tokens/room-tokens.ts'
import { countConflicts } from '../transparency/count-conflicts.ts'
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
  watchRefusals(app, services)
  measureRoomTokens(services.metrics, services.roomTokens)
  const conflicts = countConflicts(services.metrics)
  for (const address of addressesOf(services)) {
    const parts = { ...services, ...told, address }
    joiningRoutes(app, parts)
    holdingRoutes(app, parts)
    neighborRoutes(app, parts)
    publicRoutes(app, services, address)
    logRoutes(app, services, address, conflicts)
    refusalRoutes(app, services, address)
    deviceRoutes(app, services, address)
    invitationRoutes(app, services, address)
    drawRoutes(app, services, address)
    operatorRoutes(app, services, { ...address, find: address.findAny })
  }
}
