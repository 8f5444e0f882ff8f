/*
 * The life of a ticket.
 *
 *   waiting ──admit──▶ admitted ──enter──▶ active ──complete──▶ completed
 *      │                  │                  │
 *      └──────────────────┴──────end─────────┴────────────────▶ expired (with a reason)
 */

export type TicketState = 'waiting' | 'admitted' | 'active' | 'completed' | 'expired'
export type EndReason = 'no_show' | 'timeout' | 'cancelled' | 'terminated' | 'sold_out' | 'sale_ended'
