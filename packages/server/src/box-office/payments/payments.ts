import type { Ledger, SeatMapChange } from '@seatwise/ledger'
import type { Logger } from 'pino'
import type { SigningKeys } from '../../identity/index.ts'
import type { PaymentDecision } from '../reservations/tell-line.ts'
import type { PaymentDesk } from './payment-desk.ts'
import type { PaymentProvider } from './provider.ts'

export const OUTCOMES = ['paid', 'declined', 'refunded', 'stuck'] as const

/** What paying is built from. */
export interface Payments {
  readonly ledger: Ledger
  readonly provider: PaymentProvider
  readonly desk: PaymentDesk
  /** They sign e-tickets. */
  readonly keys: SigningKeys
  readonly log: Logger
  /** Counts how payments end. */
  readonly count: (outcome: (typeof OUTCOMES)[number]) => void
  /** Called after every decision of the ledger about a payment. Never fails. */
  readonly follow: (decision: PaymentDecision) => Promise<void>
}

/** How long paying may take, and so how far the hold is extended when it starts. */
export const PAY_SECONDS = 180

/** The part of an outcome that says what happened to the seats; not every outcome has one. */
export function changeOf(outcome: object): SeatMapChange | null {
  return 'version' in outcome ? (outcome as SeatMapChange) : null
}
