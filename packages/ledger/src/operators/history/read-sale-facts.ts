import type { ReservationState } from '@seatwise/domain'
import { loadStatement, type PurchaseStatus, type ReadRows } from '../../engine/index.ts'

export type SeatCountFact = Readonly<Record<'available' | 'held' | 'sold' | 'blocked', number>>

/** Everything the ledger knows about the sale of one event at one instant. Times are milliseconds since 1970. */
export interface SaleFacts {
  readonly sale: SaleFact
  readonly reservations: readonly ReservationFact[]
  readonly ends: readonly EndFact[]
  readonly payments: readonly PaymentFact[]
  /** Of seats that came back. */
  readonly refunds: readonly RefundFact[]
  readonly books: readonly BookFact[]
  readonly operations: readonly OperationFact[]
  readonly adoptions: readonly AdoptionFact[]
  /** In the order in which it is told. */
  readonly news: readonly NewsFact[]
  readonly deliveries: readonly DeliveryFact[]
}

export interface SaleFact {
  readonly roomId: string
  /** How far the ledger has followed the room's log, and the hash of the last entry. */
  readonly epoch: number
  readonly seq: number
  readonly chain: string
  readonly at: number
  readonly createdAt: number
  readonly version: number
  /** What the seat map says, and what the seats themselves are. */
  readonly noted: SeatCountFact
  readonly counted: SeatCountFact
  /** Also those that were taken off the plan. */
  readonly everMade: number
  readonly blocked: readonly string[]
}

export interface ReservationFact {
  readonly id: string
  readonly buyerId: string
  /** The guest who reserved it, when the buyer has adopted them. */
  readonly adoptedFrom: string | null
  readonly status: ReservationState
  readonly amount: number
  readonly roomId: string | null
  readonly ticketNumber: number | null
  readonly fence: number | null
  /** Sold at the door, without a ticket in the line. */
  readonly isAtDoor: boolean
  readonly createdAt: number
  readonly updatedAt: number
  readonly paidAt: number | null
  readonly expiresAt: number
  readonly seatIds: readonly string[]
}

/** A reservation that ended and was paid later nevertheless. */
export interface EndFact {
  readonly reservationId: string
  readonly type: 'reservation.expired' | 'reservation.canceled'
  /** As the news tells it. */
  readonly at: string
  /** What it held then; null when the news of its beginning is gone. */
  readonly seatIds: readonly string[] | null
}

export interface PaymentFact {
  readonly id: string
  readonly reservationId: string
  readonly status: PurchaseStatus
  readonly provider: string
  readonly amount: number
  readonly captured: number
  readonly refunded: number
  readonly kept: number
  /** On its way back. */
  readonly pending: number
  readonly actorId: string | null
  readonly operationKey: string | null
  readonly updatedAt: number
}

export interface RefundFact {
  readonly reservationId: string
  readonly purchaseId: string
  readonly seatIds: readonly string[]
  readonly amount: number
  readonly kept: number
  readonly doneAt: number
}

/** What the sandbox's own books say about a payment. */
export interface BookFact {
  readonly purchaseId: string
  readonly captured: number
  readonly refunded: number
}

export interface OperationFact {
  readonly actorId: string
  readonly key: string
  readonly effect: string
  readonly at: number
}

/** Of a guest who reserved something in the event. */
export interface AdoptionFact {
  readonly guestId: string
  readonly userId: string
  readonly at: number
}

export interface NewsFact {
  readonly id: string
  readonly reservationId: string
  readonly type: string
  readonly position: number
  /** Whether its deliveries were written. */
  readonly handed: boolean
}

export interface DeliveryFact {
  readonly newsId: string
  /** Which webhook, or `mail`. */
  readonly receiver: string
  readonly attempts: number
  readonly deliveredAt: number | null
  readonly givenUp: boolean
}

const READ_SALE_FACTS = loadStatement(import.meta.url, 'read-sale-facts.sql')

/** Null when there is no such event. */
export async function readSaleFacts(read: ReadRows, eventId: string): Promise<SaleFacts | null> {
  const rows = await read<FactRow>(READ_SALE_FACTS, [eventId])
  const all = <Fact>(kind: string): Fact[] =>
    // The statement names the fields of each kind, and the types above repeat them.
    rows.flatMap((row) => (row.kind === kind ? (row.facts as Fact[]) : []))
  const [sale] = all<SaleFact>('sale')
  if (sale === undefined) return null
  return {
    sale,
    reservations: all('reservation'),
    ends: all('end'),
    payments: all('payment'),
    refunds: all('refund'),
    books: all('book'),
    operations: all('operation'),
    adoptions: all('adoption'),
    news: all('news'),
    deliveries: all('delivery'),
  }
}

interface FactRow {
  readonly kind: string
  readonly facts: unknown[]
}
