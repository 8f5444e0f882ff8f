import type { Reservation } from '@seatwise/domain'
import type { SeatMapChange } from '@seatwise/ledger'
import type { SettledClaim } from '@seatwise/line'
import { Counter, type Registry } from 'prom-client'
import { createMailLimits, type MailLimits } from '../identity/index.ts'
import { measureBuffers, type Pulse, Rounds } from '../kit/index.ts'
import type { RoomTokens, Visits } from '../rooms/index.ts'
import {
  forgetOldLinks,
  forgetUnconfirmedRequests,
  offerFirst,
  offerReturnedSeats,
} from './after-sale/offer-returned-seats.ts'
import type { OperationsUnderWay } from './operations/under-way.ts'
import { cancelReservation } from './reservations/cancel-reservation.ts'
import { createClaimDesk } from './reservations/claim-desk.ts'
import { followLeavers } from './reservations/follow-leavers.ts'
import { LineKeeper } from './reservations/keep-in-step.ts'
import { KnownPasses } from './reservations/known-passes.ts'
import { createLoserDesk } from './reservations/loser-desk.ts'
import { reserveForMissed, reserveOnAdmit } from './reservations/reserve-on-admit.ts'
import { type ReserveRequest, reserveSeats } from './reservations/reserve-seats.ts'
import { forgetOldNotes, sweepHolds } from './reservations/sweep-holds.ts'
import { followPayment, type PaymentDecision, type TellParts, tellCopyAndLine } from './reservations/tell-line.ts'
import { visitOf } from './reservations/visit-of.ts'
import { openSeatMaps, type SeatMaps } from './seat-map/open-seat-maps.ts'

/** What buyers can do, and the background work that makes it possible. */
export interface BoxOffice extends Visits {
  readonly seatMaps: SeatMaps
  /** How often we write to an address that a stranger typed. */
  readonly mailLimits: MailLimits
  /** Rejects with the reason when the visitor gets no seats. */
  reserve(request: ReserveRequest): Promise<Reservation>
  /** Throws when more visitors are already coming than can be served in time, before any work is done for one more. */
  refuseCrowd(eventId: string): void
  cancel(reservationId: string, buyerId: string): Promise<Reservation>
  /** The caller that changed seats calls this after the commit: it updates the line and this server's copy. */
  tell(eventId: string, change: SeatMapChange, results?: readonly SettledClaim[]): Promise<void>
  /** Called after every decision of the ledger about a payment. Never fails. */
  paymentDecided(decision: PaymentDecision): Promise<void>
  /** Starts expiring holds and keeping the lines in step with the ledger. */
  start(): void
  close(): Promise<void>
}

export interface BoxOfficeOptions extends Omit<TellParts, 'seatMaps'> {
  readonly pulse: Pulse
  readonly roomTokens: RoomTokens
  readonly underWay: OperationsUnderWay
  readonly metrics: Registry
  readonly now: () => number
  /** How many processes share the port, and with it what is mailed to one address. */
  readonly workers?: number
}

const SWEEP_MS = 1_000
const NEWS_MS = 1_000
const COMPARE_MS = 5_000
const ADMIT_MS = 500
const OFFER_MS = 1_000
const FORGET_MS = 60_000

export function openBoxOffice(options: BoxOfficeOptions): BoxOffice {
  const { ledger, pulse, rooms, log, now, roomTokens, underWay } = options
  const passes = new KnownPasses()
  const losers = createLoserDesk(ledger)
  const seatMaps = openSeatMaps({ ledger, log, now })
  const told: TellParts = { ledger, rooms, log, seatMaps }
  const parts: TellParts = { ...told, offerFirst: (eventId, change) => offerFirst(told, eventId, change) }
  const mailLimits = createMailLimits(now, options.workers)
  const turnedAway = new Counter({
    name: 'seatwise_claims_turned_away_total',
    help: 'Claims refused by the copy of the seat map, after one ledger lookup for earlier calls',
    registers: [options.metrics],
  })
  const onTurnedAway = () => turnedAway.inc()
  const desk = createClaimDesk(parts)
  const reserving = { ...parts, desk, losers, passes, roomTokens, underWay, now, onTurnedAway }
  measureBuffers(options.metrics, {
    seats_followed: () => seatMaps.seats,
    known_passes: () => passes.size,
    pending_claims: () => desk.pending,
    pending_losers: () => losers.pending,
    operations_under_way: () => underWay.size,
    mail_recipients: () => mailLimits.size,
  })
  const keeper = new LineKeeper({ ...parts, now })
  const rounds = new Rounds(log, [
    { name: 'ending holds', everyMs: SWEEP_MS, work: () => sweepHolds(parts) },
    { name: 'telling lines what is left', everyMs: NEWS_MS, work: () => keeper.bringNews() },
    { name: 'comparing floors with the ledger', everyMs: COMPARE_MS, work: () => keeper.compareAll() },
    { name: 'reserving for those let in', everyMs: ADMIT_MS, work: () => reserveForMissed({ ...parts, desk }) },
    { name: 'offering returned seats', everyMs: OFFER_MS, work: () => offerReturnedSeats(told) },
    { name: 'forgetting unconfirmed addresses', everyMs: FORGET_MS, work: () => forgetUnconfirmedRequests(told) },
    { name: 'forgetting old links', everyMs: FORGET_MS, work: () => forgetOldLinks(told) },
    { name: 'forgetting old notes', everyMs: FORGET_MS, work: () => forgetOldNotes(parts) },
  ])
  rooms.onOpen((room) => {
    followLeavers({ ...parts, passes }, room)
    reserveOnAdmit({ ...parts, desk }, room)
  })

  return {
    seatMaps,
    mailLimits,
    reserve: (request) => reserveSeats(reserving, request),
    refuseCrowd: desk.refuseCrowd,
    cancel: (reservationId, buyerId) => cancelReservation(parts, reservationId, buyerId),
    visitOf: (room, position) => visitOf({ ledger, pulse, log }, room, position),
    tell: (eventId, change, results = []) => tellCopyAndLine(parts, eventId, change, results),
    paymentDecided: (decision) => followPayment(parts, decision),
    start: () => rounds.start(),
    async close() {
      await rounds.close()
      await seatMaps.close()
    },
  }
}
