import {
  type Grouped,
  isAnnouncement,
  type Joined,
  type LogEntry,
  numbersIn,
  type PrivateNews,
  type PushPosition,
  type ReservationNews,
  type Restored,
  type TicketChange,
} from '@seatwise/domain'
import type { ReservationRow } from '@seatwise/ledger'
import type { TicketView } from '@seatwise/line'
import { RecentMap } from '../../kit/index.ts'
import { endFields, type Room, turnFields } from '../../rooms/index.ts'
import { showReservation } from '../../wire/index.ts'

/** The destination of the news of tickets. */
export interface TicketSink {
  /** Whether the ticket has listeners: saves lookups for tickets without any. */
  hears(number: number): boolean
  tell(number: number, position: PushPosition, news: PrivateNews): void
  /** Visitors stand together: what is told of the ticket is told to all of them. */
  stand(group: Grouped): void
  /** The access of this generation and of earlier ones has ended. */
  endAccess(number: number, code: 'TICKET_ENDED' | 'TICKET_MOVED', generation: number): void
}

/** Looks up the latest reservation of a ticket. */
export type FindReservation = (number: number) => Promise<ReservationRow | null>

interface OnFloor {
  readonly status: 'admitted' | 'active'
  readonly reservedUntil: number | null
  /** The state last sent, of which reservation. */
  readonly told: string | null
}

/** The most tickets remembered; the others get slightly fewer messages. */
const FLOOR_MAX = 50_000
/** A reservation that the ledger is about to end counts as ended: its sweeper comes within a second. */
const SWEEP_MS = 1_500
const EVERY_GENERATION = Number.POSITIVE_INFINITY
const PAID = 'PAYMENT_SUCCESS'

/**
 * Derives each ticket's messages from the log. The log does not say what became of reservations, so the ledger is
 * asked, in one batch for all tickets of a moment; later messages for the same ticket wait for the answer.
 */
export class TicketNews {
  readonly #room: Room
  readonly #sink: TicketSink
  readonly #find: FindReservation | null
  readonly #now: () => number
  readonly #floor = new RecentMap<number, OnFloor>(FLOOR_MAX)
  /** Messages that wait until the ledger has answered for the ticket. */
  readonly #waiting = new Map<number, Promise<void>>()

  constructor(room: Room, sink: TicketSink, find: FindReservation | null, now: () => number) {
    this.#room = room
    this.#sink = sink
    this.#find = find
    this.#now = now
  }

  get pending(): number {
    return this.#waiting.size
  }

  /** The store was asked about a ticket. */
  learn({ number, state }: TicketView, reservation: { id: string; status: string } | null): void {
    if (state !== 'admitted' && state !== 'active') return
    const told = reservation?.status === 'PENDING_PAYMENT' ? `${reservation.id} RESERVATION_CREATED` : null
    this.#floor.set(number, { status: state, reservedUntil: null, told })
  }

  follow({ epoch, seq, change }: LogEntry): void {
    if (change.kind === 'opened' || change.kind === 'changed' || change.kind === 'attended') return
    if (isAnnouncement(change)) return
    if (change.kind === 'grouped') this.#sink.stand(change)
    for (const number of numbersIn(change)) if (this.#sink.hears(number)) this.#read(number, change, { epoch, seq })
  }

  #read(number: number, change: Joined | Restored | TicketChange, at: PushPosition): void {
    const known = this.#floor.get(number)
    switch (change.kind) {
      case 'admitted':
        this.#remember(number, { status: change.active ? 'active' : 'admitted', reservedUntil: null })
        // In a room that reserves on admission, a visitor is told after the seat is reserved.
        if (!this.#room.settings.reserveOnAdmit) this.#tellTurn(number, at, change.deadline)
        return
      case 'entered':
        this.#remember(number, { status: 'active' })
        this.#tellTurn(number, at, known?.reservedUntil ?? change.deadline)
        return
      case 'extended':
        this.#tellTurn(number, at, change.deadline)
        return
      case 'reserved':
        this.#remember(number, { reservedUntil: change.deadline })
        this.#tellReservation(number, at, null)
        // In a room that reserves on admission, claiming comes next.
        if (change.deadline !== null && !(this.#room.settings.reserveOnAdmit && known?.status === 'admitted'))
          this.#tellTurn(number, at, change.deadline)
        return
      case 'completed':
        this.#end(number, at, { type: 'ENDED', ...endFields('completed', null) })
        return
      case 'expired':
        this.#end(number, at, { type: 'ENDED', ...endFields('expired', change.reason) })
        return
      case 'moved':
        this.#inTurn(number, () => this.#sink.endAccess(number, 'TICKET_MOVED', change.generation - 1))
        return
      case 'adopted':
        this.#inTurn(number, () => this.#sink.endAccess(number, 'TICKET_MOVED', EVERY_GENERATION))
        return
      case 'joined':
      case 'restored':
      case 'away':
      case 'back':
      // A correction precedes the first answer of a new epoch, in which every listener starts anew.
      case 'corrected':
      case 'classed':
        return
      case 'grouped':
        if (change.left === number && number !== change.number)
          this.#end(number, at, { type: 'ENDED', ...endFields('expired', 'cancelled') })
        return
    }
  }

  #remember(number: number, news: Partial<OnFloor>): void {
    const known = this.#floor.get(number) ?? { status: 'admitted', reservedUntil: null, told: null }
    this.#floor.set(number, { ...known, ...news })
  }

  #tellTurn(number: number, at: PushPosition, deadline: number): void {
    const turn = turnFields(this.#floor.get(number)?.status ?? 'admitted', deadline)
    this.#inTurn(number, () => {
      // Starting to pay gives more time. A buyer who has paid by then has no use for it: their visit is over.
      if (this.#floor.get(number)?.told?.endsWith(PAID) === true) return
      this.#sink.tell(number, at, { type: 'ACTIVE', ...turn, claim: true })
    })
  }

  #end(number: number, at: PushPosition, ended: PrivateNews & { type: 'ENDED' }): void {
    // A ticket that was only waiting has no reservation to look up.
    if (this.#floor.get(number) !== undefined) this.#tellReservation(number, at, ended.reason)
    this.#inTurn(number, () => {
      this.#floor.delete(number)
      this.#sink.tell(number, at, ended)
      this.#sink.endAccess(number, 'TICKET_ENDED', EVERY_GENERATION)
    })
  }

  #tellReservation(number: number, at: PushPosition, reason: string | null): void {
    const find = this.#find
    if (find === null) return
    const asked = (this.#waiting.get(number) ?? Promise.resolve()).then(async () => {
      // The ledger may be down. The next poll returns what this hint would have said.
      const reservation = await find(number).catch(() => null)
      const type = reservation === null ? null : newsOf(reservation, reason, this.#now())
      if (reservation === null || type === null) return
      const told = `${reservation.id} ${type}`
      if (this.#floor.get(number)?.told === told) return
      this.#remember(number, { told })
      this.#sink.tell(number, at, { type, reservation: { ...showReservation(reservation) } })
    })
    this.#wait(number, asked)
  }

  /** At once, or after the running lookup for this ticket. */
  #inTurn(number: number, act: () => void): void {
    const before = this.#waiting.get(number)
    if (before === undefined) act()
    else this.#wait(number, before.then(act))
  }

  #wait(number: number, done: Promise<void>): void {
    this.#waiting.set(number, done)
    void done.finally(() => {
      if (this.#waiting.get(number) === done) this.#waiting.delete(number)
    })
  }
}

function newsOf(
  { status, expiresAt }: ReservationRow,
  ending: string | null,
  now: number,
): ReservationNews['type'] | null {
  switch (status) {
    case 'PENDING_PAYMENT':
      if (ending === null) return 'RESERVATION_CREATED'
      return ending === 'timeout' && expiresAt.getTime() <= now + SWEEP_MS ? 'RESERVATION_EXPIRED' : null
    case 'PAID':
      return PAID
    case 'CANCELED':
      return 'RESERVATION_CANCELED'
    case 'EXPIRED':
      return 'RESERVATION_EXPIRED'
    case 'REFUNDED':
      return null
  }
}
