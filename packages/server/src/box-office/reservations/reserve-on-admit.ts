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
/** Floors are looked through as far as this for those whom nobody has served yet. */
const FLOOR_MAX = 10_000

export interface AdmitParts extends TellParts {
  readonly desk: ClaimDesk
}

interface Admitted {
  readonly number: number
  readonly fence: number
}

/**
 * In rooms that reserve on admission, everybody who is let in gets a seat before they are told. The log says who was
 * let in, and every server tries at once: the key is the ticket's and the fence's, so that one of them succeeds and the
 * others find it done. Whoever was missed is found on the floor by the next round.
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
        parts.log.warn({ err, room: room.id }, 'nothing is reserved yet for somebody who was let in, it will be')
      })
    }
  })
}

/** Everybody on the floor for whom nothing was reserved yet, in every room that does so. */
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
    ({ id }, err) => parts.log.warn({ err, room: id }, 'a floor was not looked through, trying again'),
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
      // Not followed yet: the next round finds them.
      if (owner === undefined) return
      await serveOne(parts, room, owner, fence).catch((err: unknown) => {
        parts.log.warn({ err, room: room.id }, 'nothing is reserved yet for a visitor who was let in, trying again')
      })
    }),
  )
}

async function serveOne(parts: AdmitParts, room: Room, owner: TicketOwner, fence: number): Promise<void> {
  const { number, identity, generation, buyerId } = owner
  // Who gave their seat back, or chose another one by themselves, is not given one again.
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
      // They left, or others of this moment were faster with the seat we picked: the next round looks again.
      return
  }
}

/** One seat of the first type that has any, those without numbers first; null when there is none at all. */
async function claimOne(
  { seatMaps, desk }: AdmitParts,
  room: Room,
  { number, fence, buyerId }: Admitted & { buyerId: string },
): Promise<Decision | null> {
  const eventId = room.row.eventId ?? ''
  const copy = await seatMaps.read(eventId)
  const seatTypeIds = copy?.seatTypeIds.toSorted(
    (one, other) => Number(copy.isNumbered(one)) - Number(copy.isNumbered(other)),
  )
  // With the room: numbers and fences of two rooms may be the same, and one visitor may be in both.
  const key = `ticket:${room.id}:${number}:${fence}`
  for (const seatTypeId of seatTypeIds ?? []) {
    const wish = { seatTypeId, quantity: 1, accessible: false }
    const picked = await pickSeatsFor(seatMaps, eventId, wish, { seed: number, own: [] })
    if ('status' in picked) continue
    const claim = {
      ...{ operation: { actorId: buyerId, key, fingerprint: key }, reservationId: randomUUIDv7(), buyerId },
      ...{ roomId: room.id, ticketNumber: number, fence, wish: picked.wish },
      ...{ holdSeconds: room.settings.reservationSeconds, seatsPerBuyerMax: room.settings.maxSeatsPerBuyer },
    }
    const decision = await desk.decide(eventId, { claim, operation: key, quantity: 1 }).finally(picked.rubOut)
    if (decision.status !== 'not_enough') return decision
  }
  return null
}
