import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { isLedgerAway, joining } from '@seatwise/ledger'
import type { JoinReply, JoinRequest } from '@seatwise/line'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import type { Device } from './device-cookie.ts'

type Parts = Pick<RoomServices, 'ledger' | 'roomTokens'>

/** The tickets of this room that guests drew on the device before; undefined when nothing is to be judged. */
function heldBy(room: Room, device: Device | null): JoinRequest['held'] {
  const { guestsPerDevice: max } = room.settings
  if (device === null || max === 0) return undefined
  const numbers = device.tickets.filter(({ roomId }) => roomId === room.id).map(({ number }) => number)
  return numbers.length === 0 ? undefined : { numbers, max }
}

/**
 * Joins for a guest. A device that has its tickets already gets as many more as operators allowed it; otherwise the verdict is
 * written down, and the visitor is told of it. Rules R118 and R119.
 */
export async function joinFromDevice<Reply extends JoinReply>(
  parts: Parts,
  room: Room,
  device: Device | null,
  request: JoinRequest,
  join: (request: JoinRequest) => Promise<Reply>,
): Promise<Reply> {
  const held = heldBy(room, device)
  if (device === null || held === undefined) return await join(request)
  const reply = await join({ ...request, held })
  if (reply.status !== 'held') return reply
  const judged = { roomId: room.id, device: parts.roomTokens.identities.ofDevice(device.id) }
  try {
    const allowed = await joining.countAllowed(parts.ledger.db, judged)
    const again = allowed === 0 ? reply : await join({ ...request, held: { ...held, max: held.max + allowed } })
    if (again.status !== 'held') return again
    const [ticketNumber = 0] = held.numbers
    const verdict = await joining.keepVerdict(parts.ledger.db, { ...judged, id: randomUUID(), ticketNumber })
    const { id, appealedAt } = verdict
    throw new SeatwiseError('DUPLICATE_DEVICE', {
      details: { verdict: { id, appealedAt: appealedAt?.toISOString() ?? null } },
    })
  } catch (cause) {
    if (!isLedgerAway(cause)) throw cause
    throw new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 })
  }
}
