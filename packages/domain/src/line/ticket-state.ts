/*
 * The life of a ticket.
 *
 *   waiting ──admit──▶ admitted ──claim──▶ active ──complete──▶ completed
 *      │                  │                  │
 *      └──────────────────┴──────end─────────┴────────────────▶ expired (with a reason)
 */

export type TicketState = 'waiting' | 'admitted' | 'active' | 'completed' | 'expired'
export type TicketEvent = 'admit' | 'claim' | 'complete' | 'end'
export type EndReason = 'no_show' | 'timeout' | 'cancelled' | 'terminated' | 'sold_out' | 'sale_ended'

/** Every state answers every event; null means that the event is refused. A missing cell does not compile. */
export const NEXT_TICKET_STATE = {
  waiting: { admit: 'admitted', claim: null, complete: null, end: 'expired' },
  admitted: { admit: null, claim: 'active', complete: 'completed', end: 'expired' },
  active: { admit: null, claim: 'active', complete: 'completed', end: 'expired' },
  completed: { admit: null, claim: null, complete: 'completed', end: null },
  expired: { admit: null, claim: null, complete: null, end: 'expired' },
} as const satisfies Record<TicketState, Record<TicketEvent, TicketState | null>>

export const LIVE_TICKET_STATES = ['waiting', 'admitted', 'active'] as const satisfies readonly TicketState[]
