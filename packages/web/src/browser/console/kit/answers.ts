/** What the API answers, as far as the console reads it. */
export interface Estimate {
  p50: number
  p90: number
}

export type Phase = 'before' | 'pre' | 'open' | 'paused' | 'sold_out' | 'ended'

export interface Settings {
  [name: string]: unknown
  capacity: number
  ratePerMinute: number
}

export interface TrailEntry {
  id: number
  at: string
  actorId: string
  actorName: string | null
  kind: string
  subject: string | null
  before: Record<string, unknown>
  after: Record<string, unknown>
  undoes: number | null
  undoneBy: number | null
}

export interface Pulse {
  roomId: string
  eventId: string | null
  at: string
  phase: Phase
  paused: boolean
  message: string | null
  isHeld: boolean
  waiting: number
  active: number
  settings: Settings
  admissionsPerMinute: number
  avgServiceMs: number | null
  lastVisitor: Estimate | null
  seats: { available: number; held: number; sold: number; blocked: number } | null
  soldPerMinute: number
  soldOutInSeconds: number | null
  lastAction: TrailEntry | null
}

export interface Preview {
  waiting: number
  before: Estimate | null
  after: Estimate | null
  limitedBy: 'paused' | 'rate' | 'capacity'
}

/** How many visitors were or would be let in at once, and what kept it from being more. */
export interface AdmittedNow {
  admitted: number
  limitedBy: string | null
}

export interface Drawn {
  stepSeconds: number
  at: number[]
  waiting: number[]
  floor: number[]
  admissionsPerSecond: number[]
  arrivalsPerSecond: number[]
  held: number[]
  sold: number[]
  estimateError: (number | null)[]
  noShows: number[]
  /** Of the whole sale so far; shares from 0 to 1. */
  estimates: { judged: number; knownShare: number | null; medianError: number | null; withinP90: number | null }
}

export interface TicketRow {
  ticketId: string
  position?: number
  name: string | null
  class?: number
  state?: 'admitted' | 'active'
  joinedAt: string | null
  admittedAt?: string | null
  deadline?: string | null
  reservedSeats?: number
  reservation?: { id: string; status: string; amount: number; currency: string } | null
}

export interface FoundReservation {
  id: string
  status: 'PENDING_PAYMENT' | 'PAID' | 'CANCELED' | 'EXPIRED' | 'REFUNDED'
  items: { seatId: string; row: string | null; number: number | null; paid: number }[]
  amount: number
  currency: string
  createdAt?: string
  expiresAt: string
  buyer: { id: string; email: string | null; name: string | null }
  names?: { seatId: string; name: string }[]
  answers?: { questionId: string; seatId: string | null; label: string; answer: string }[]
  terms?: { url: string; acceptedAt: string } | null
  marketing?: { given: boolean; at: string | null }
  purchase: { id: string; status: string; refundedSeatIds: string[] } | null
}

export interface StuckPayment {
  id: string
  reservationId: string
  status: string
  amount: number
  currency: string
  reason: string | null
  createdAt: string
}

export interface Readiness {
  verdict: 'go' | 'caution' | 'no-go'
  checks: {
    check: string
    verdict: 'go' | 'caution' | 'no-go'
    problem: string | null
    facts: Record<string, string | number | null>
  }[]
  deployment: {
    what: string
    verdict: 'good' | 'weak' | 'bad'
    says: string
    problem?: string
    facts?: Record<string, string>
  }[]
}
