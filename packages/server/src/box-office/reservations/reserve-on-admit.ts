import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { hasReserved, readTicketOwners, type TicketOwner } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import { eachAlone } from '../../kit/index.ts'
import type { Room } from '../../rooms/index.ts'
import type { ClaimDesk, Decision } from './claim-desk.ts'
import { pickSeatsFor } from './pick-seats-for.ts'
import type { TellParts } from './tell-line.ts'

const BATCH_MAX = 200
const QUEUED_MAX = 100_000
/** Each round reads at most this many tickets of a floor. */
const FLOOR_MAX = 10_000

export interface AdmitParts extends TellParts {
  readonly desk: ClaimDesk
}

interface Admitted {
  readonly number: number
  readonly fence: number
}

/**
 * In rooms that reserve on admission, each admitted visitor gets a seat before being told. The log says who was
 * admitted, and every server tries at once: the key consists of the ticket and the fence, so that one of them succeeds
 * and the others find it done. The next round finds missed visitors on the floor.
 */
export function reserveOnAdmit(parts: AdmitParts, room: Room): void {
  if (room.row.eventId === null) return
  const newcomers = createBatcher<Admitted, null>({
    maxItems: BATCH_MAX,
    maxQueued: QUEUED_MAX,
    maxInFlight: 1,
    async run(admitted) {
      await serve(parts, room, admitted)
      return admitted.map(() => null)
    },
  })
  room.onEntries((entries) => {
    if (!room.settings.reserveOnAdmit) return
    for (const { change } of entries) {
      if (change.kind !== 'admitted') continue
      newcomers.send({ number: change.number, fence: change.fence }).catch((err: unknown) => {
        parts.log.warn({ err, room: room.id }, 'no seat is reserved yet for an admitted visitor, retrying')
      })
    }
  })
}

/** Reserves for each visitor on the floor without a reservation, in every room that reserves on admission. */
export async function reserveForMissed(parts: AdmitParts): Promise<void> {
  const rooms = [...parts.rooms.openRooms()].filter(
    ({ settings, row }) => settings.reserveOnAdmit && row.eventId !== null,
  )
  await eachAlone(
    rooms,
    async (room) => {
      const floor = await room.floor(FLOOR_MAX)
      await serve(
        parts,
        room,
        floor.filter(({ reservedSeats }) => reservedSeats === 0),
      )
    },
    ({ id }, err) => parts.log.warn({ err, room: id }, 'a floor was not searched, retrying'),
  )
}

async function serve(parts: AdmitParts, room: Room, admitted: readonly Admitted[]): Promise<void> {
  const numbers = admitted.map(({ number }) => number)
  const owners = new Map(
    (await readTicketOwners(parts.ledger.db, room.id, numbers)).map((owner) => [owner.number, owner]),
  )
  await Promise.all(
    admitted.map(async ({ number, fence }) => {
      const owner = owners.get(number)
      // The log is not followed this far yet: the next round finds the visitor.
      if (owner === undefined) return
      await serveOne(parts, room, owner, fence).catch((err: unknown) => {
        parts.log.warn({ err, room: room.id }, 'no seat is reserved yet for an admitted visitor, retrying')
      })
    }),
  )
}

async function serveOne(parts: AdmitParts, room: Room, owner: TicketOwner, fence: number): Promise<void> {
  const { number, identity, generation, buyerId } = owner
  // A visitor who gave their seat back, or chose another one, is not given one again.
  if (buyerId === null || (await hasReserved(parts.ledger.db, room.id, number))) return
  const decision = await claimOne(parts, room, { number, fence, buyerId })
  switch (decision?.status) {
    case 'held':
    case 'repeated':
      await room.enter({ number, identity, generation })
      return
    case undefined:
    case 'sold_out':
    case 'not_enough':
    case 'limit_reached':
      await room.end({ number, identity, generation, as: 'sold_out', operation: randomUUID() })
      return
    default:
      // The visitor left, or another claim took the picked seat first: the next round looks again.
      return
  }
}

/** One seat of the first type that has any, unnumbered types first; null when there is none at all. */
async function claimOne(
  { seatMaps, desk }: AdmitParts,
  room: Room,
  { number, fence, buyerId }: Admitted & { buyerId: string },
): Promise<Decision | null> {
  const eventId = room.row.eventId ?? ''
  const copy = await seatMaps.read(eventId)
  const seatTypeIds = copy?.openTypeIds.toSorted(
    (one, other) => Number(copy.isNumbered(one)) - Number(copy.isNumbered(other)),
  )
  // Includes the room: numbers and fences of two rooms may coincide, and one visitor may be in both.
  const key = `ticket:${room.id}:${number}:${fence}`
  for (const seatTypeId of seatTypeIds ?? []) {
    const wish = { seatTypeId, quantity: 1, accessible: false }
    const picked = await pickSeatsFor(seatMaps, eventId, wish, { seed: number, own: [], code: null })
    if ('status' in picked) continue
    const claim = {
      ...{ operation: { actorId: buyerId, key, fingerprint: key }, reservationId: randomUUIDv7(), buyerId },
      ...{ roomId: room.id, ticketNumber: number, fence, wish: picked.wish, isByServer: true },
      ...{ holdSeconds: room.settings.reservationSeconds, seatsPerBuyerMax: room.settings.maxSeatsPerBuyer },
    }
    const decision = await desk.decide(eventId, claim).finally(picked.rubOut)
    if (decision.status !== 'not_enough') return decision
  }
  return null
}
