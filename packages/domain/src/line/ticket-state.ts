/*
 * The life of a ticket.
 *
 *   waiting ──admit──▶ admitted ──enter──▶ active ──complete──▶ completed
 *      │                  │                  │
 *      └──────────────────┴──────end─────────┴────────────────▶ expired (with a reason)
 */

export type TicketState = 'waiting' | 'admitted' | 'active' | 'completed' | 'expired'
export type TicketEvent = 'admit' | 'enter' | 'complete' | 'end'
export type EndReason = 'no_show' | 'timeout' | 'cancelled' | 'terminated' | 'sold_out' | 'sale_ended'

/** Every state answers every event; null means that the event is refused. A missing cell does not compile. */
export const NEXT_TICKET_STATE = {
  waiting: { admit: 'admitted', enter: null, complete: null, end: 'expired' },
  admitted: { admit: null, enter: 'active', complete: 'completed', end: 'expired' },
  active: { admit: null, enter: 'active', complete: 'completed', end: 'expired' },
  completed: { admit: null, enter: null, complete: 'completed', end: null },
  expired: { admit: null, enter: null, complete: null, end: 'expired' },
} as const satisfies Record<TicketState, Record<TicketEvent, TicketState | null>>

export const LIVE_TICKET_STATES = ['waiting', 'admitted', 'active'] as const satisfies readonly TicketState[]
