import type { TicketView } from '@seatwise/line'
import type { Room } from '../room.ts'
import { ticketId } from '../tokens/ticket-id.ts'
import type { Profile } from './tell-standing.ts'

/**
 * What a visitor is told whose ticket waits, as JSON: the same as `tellStanding` says (a test compares them). A crowd
 * asks for nothing else, and an object, the promises around it and a general serialiser cost as much as the whole rest
 * of the answer.
 */
export function writeWaiting(room: Room, view: TicketView, rank: number, exact: boolean, profile: Profile): string {
  const { p50, p90, reason } = room.estimate(view.number, rank)
  return (
    `{"status":"waiting","ticketId":"${ticketId(room.id, view.number)}","rank":${rank},"position":${rank + 1},` +
    `"place":${view.place},"exact":${exact},"queueLength":${view.waiting},"estimatedWaitSeconds":${p50},` +
    `"eta":{"p50":${p50},"p90":${p90},"reason":${reason === null ? 'null' : `"${reason}"`}},` +
    `"name":${JSON.stringify(profile.name)},"avatar":${JSON.stringify(profile.avatar)},` +
    `"joinedAt":"${new Date(view.joinedAt).toISOString()}","pollAfterMs":${room.pollAfterMs(rank, p50)},"push":${room.shouldListen(rank)},` +
    `"epoch":${room.epoch},"seq":${view.seq}}`
  )
}
