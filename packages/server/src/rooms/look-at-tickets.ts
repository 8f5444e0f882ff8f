import type { EndRequest } from '@seatwise/line'
import { type createLookUp, findEnded, findForgotten } from './find-forgotten.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { RoomPicture } from './picture/room-picture.ts'
import type { FarView, Room, TicketClaims } from './room.ts'
import type { RoomLink } from './room-link.ts'
import type { createSteps } from './room-steps.ts'

export interface LookingParts {
  readonly picture: RoomPicture
  readonly heartbeats: Heartbeats
  readonly steps: ReturnType<typeof createSteps>
  readonly lookUp: ReturnType<typeof createLookUp>
  readonly link: RoomLink
}

/** The part of a room's handle that tells visitors about their ticket, from memory where that suffices. */
export function createLooking({
  picture,
  heartbeats,
  steps,
  lookUp,
  link,
}: LookingParts): Pick<Room, 'look' | 'lookFar' | 'end'> {
  function lookFar(ticket: TicketClaims): FarView | null {
    const far = picture.farView(ticket)
    if (far !== null) heartbeats.add(ticket.number)
    return far
  }
  return {
    lookFar,
    async look(ticket) {
      const far = lookFar(ticket)
      if (far !== null) return { view: far, exact: false }
      const { number, identity, generation } = ticket
      const view = await steps.look({ number, identity, generation, heartbeat: true })
      if (view.state === null) {
        const restoring = { lookUp, restore: steps.restore, epoch: link.epoch }
        return { view: await findForgotten(restoring, ticket, view), exact: true }
      }
      picture.learn(view)
      return { view, exact: true }
    },
    async end(request: EndRequest) {
      const reply = await steps.end(request)
      return reply.status === 'unknown' ? await findEnded(lookUp, request, { ...reply, status: 'unknown' }) : reply
    },
  }
}
