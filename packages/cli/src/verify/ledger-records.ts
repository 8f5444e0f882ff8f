import type { LedgerRecord, PaymentStatus } from '@seatwise/checker'
import type { EndFact, RefundFact, ReservationFact, SaleFacts } from '@seatwise/ledger'

/** Leaves the members of a union apart, which Omit alone does not. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
type Body = Without<LedgerRecord, 'record' | 'event' | 'atMs'>

/** What happened at one time; of what happened in the same millisecond, a lower rank came first. */
interface Happening {
  readonly atMs: number
  readonly rank: number
  readonly body: Body
}

/**
 * Tells from what the ledger has at one instant how it came to be, in the checker's words. Reservations keep the times of
 * their beginning and of their last change, and news tells how those ended that were paid later nevertheless.
 */
export function ledgerRecords(eventId: string, facts: SaleFacts): LedgerRecord[] {
  const endOf = new Map(facts.ends.map((end) => [end.reservationId, end]))
  const payerOf = new Map(
    facts.payments.flatMap(({ reservationId, status, actorId, provider }) =>
      // At the door the seller asks, and the buyer pays.
      actorId !== null && provider !== 'door' && PAYING.has(status) ? [[reservationId, actorId] as const] : [],
    ),
  )
  const happenings: (Happening & { readonly of: { readonly id: string } })[] = facts.reservations.flatMap(
    (reservation) => {
      const story = storyOf(reservation, endOf.get(reservation.id), payerOf.get(reservation.id))
      return story.map((happening) => ({ ...happening, of: reservation }))
    },
  )
  for (const refund of facts.refunds) {
    happenings.push({ ...backOf(refund), of: { id: refund.reservationId } })
  }
  for (const { guestId: guest, userId: account, at: atMs } of facts.adoptions) {
    happenings.push({ atMs, rank: ADOPTIONS, body: { kind: 'adoption', guest, account }, of: { id: guest } })
  }
  happenings.sort((a, b) => a.atMs - b.atMs || a.rank - b.rank || (a.of.id < b.of.id ? -1 : Number(a.of.id > b.of.id)))
  const record = (atMs: number, body: Body): LedgerRecord => ({ record: 'ledger', event: eventId, atMs, ...body })
  return [
    record(facts.sale.createdAt, { kind: 'total', total: facts.sale.everMade }),
    ...happenings.map(({ atMs, body }) => record(atMs, body)),
    ...standing(facts).map((body) => record(facts.sale.at, body)),
  ]
}

/** Of purchases that pay, or paid a moment ago, for seats that are sold. */
const PAYING: ReadonlySet<string> = new Set(['PAID', 'PARTLY_REFUNDED', 'REFUNDING'])

/** Ends make room for late sales, and both for what is held afterwards. */
const ENDS = 0
const LATE_SALES = 1
/** A hold that began and ended in the same millisecond lies between: no other hold can have its seats before or after. */
const BRIEF = 2
const BEGINS = 3
/** What an adoption cancels ends before it, and what the guest had begun before. */
const ADOPTIONS = 4

function storyOf(reservation: ReservationFact, end: EndFact | undefined, by: string | undefined): Happening[] {
  const { id: hold, createdAt, seatIds: seats } = reservation
  const last = lastPart(reservation, end !== undefined, by)
  const endedAt = end === undefined ? undefined : Date.parse(end.at)
  const isBrief = (endedAt ?? last[0]?.atMs) === createdAt
  // The news of its beginning may be forgotten by now; then the seats that late money had held are unknown.
  const heldSeats = end === undefined ? seats : (end.seatIds ?? [])
  const story: Happening[] = [
    { atMs: createdAt, rank: isBrief ? BRIEF : BEGINS, body: { ...holdOf(reservation), seats: heldSeats } },
  ]
  if (end !== undefined && endedAt !== undefined) {
    const kind = end.type === 'reservation.expired' ? ('expire' as const) : ('release' as const)
    story.push({ atMs: endedAt, rank: isBrief ? BRIEF : ENDS, body: { kind, hold, seats: heldSeats } })
  }
  return [...story, ...last.map((part) => (part.atMs === createdAt ? { ...part, rank: BRIEF } : part))]
}

function holdOf(reservation: ReservationFact) {
  const { id, buyerId, adoptedFrom, amount, expiresAt, roomId, ticketNumber, fence, isAtDoor } = reservation
  return {
    ...({ kind: 'hold', hold: id, buyer: buyerId, amount, expiresAtMs: expiresAt } as const),
    ...(roomId === null || ticketNumber === null ? {} : { room: roomId, ticket: ticketNumber }),
    ...(fence === null ? {} : { fence }),
    ...(isAtDoor ? { door: true } : {}),
    ...(adoptedFrom === null ? {} : { guest: adoptedFrom }),
  }
}

/** How it came to be what it is now. */
function lastPart(reservation: ReservationFact, isLate: boolean, by: string | undefined): Happening[] {
  const { id: hold, buyerId: buyer, status, updatedAt, paidAt, seatIds: seats } = reservation
  const sale: Happening = {
    atMs: paidAt ?? updatedAt,
    rank: isLate ? LATE_SALES : ENDS,
    body: { kind: 'sell', hold, buyer, seats, ...(isLate ? { late: true } : {}), ...(by === undefined ? {} : { by }) },
  }
  switch (status) {
    case 'PENDING_PAYMENT':
      return []
    case 'EXPIRED':
      return [{ atMs: updatedAt, rank: ENDS, body: { kind: 'expire', hold, seats } }]
    case 'CANCELED':
      return [{ atMs: updatedAt, rank: ENDS, body: { kind: 'release', hold, seats } }]
    case 'PAID':
    case 'REFUNDED':
      return [sale]
  }
}

function backOf({
  reservationId: hold,
  purchaseId: payment,
  seatIds: seats,
  amount,
  kept,
  doneAt,
}: RefundFact): Happening {
  return { atMs: doneAt, rank: ENDS, body: { kind: 'refund', hold, seats, payment, amount, kept } }
}

/** What stands at the end: seats as they are, payments, the provider's books, and keys with what they made. */
function standing({ sale, payments, books, operations, news, deliveries }: SaleFacts): Body[] {
  const { counted, noted } = sale
  const total = counted.available + counted.held + counted.sold + counted.blocked
  return [
    { kind: 'total', total },
    { kind: 'block', seats: sale.blocked },
    { kind: 'count', ...counted, total, exact: true },
    { kind: 'count', ...noted, total, exact: true },
    ...payments.map(
      ({ id, reservationId, status, amount, captured, refunded, kept, pending, actorId, operationKey }) => ({
        ...({ kind: 'payment', payment: id, hold: reservationId, status: STATUS[status] } as const),
        ...{ amount, captured, refunded, kept, pending },
        ...(actorId === null || operationKey === null ? {} : { by: actorId, operation: operationKey }),
      }),
    ),
    ...books.map(({ purchaseId, captured, refunded }) => ({
      ...({ kind: 'provider', payment: purchaseId, captured, refunded } as const),
    })),
    ...operations.map(({ actorId, key, effect }) => ({
      ...({ kind: 'operation', actor: actorId, operation: key, effect } as const),
    })),
    ...news.map(({ id, reservationId, type, position, handed }) => ({
      ...({ kind: 'news', news: id, hold: reservationId, type, position, handed } as const),
    })),
    ...deliveries.map(({ newsId, receiver, attempts, deliveredAt, givenUp }) => ({
      ...({ kind: 'delivery', news: newsId, receiver, attempts } as const),
      ...{ deliveredAtMs: deliveredAt, setAside: givenUp },
    })),
  ]
}

const STATUS = {
  PROCESSING: 'processing',
  PAID: 'paid',
  DECLINED: 'declined',
  PARTLY_REFUNDED: 'partly_refunded',
  REFUNDING: 'refunding',
  REFUNDED: 'refunded',
  STUCK: 'stuck',
} as const satisfies Record<string, PaymentStatus>
