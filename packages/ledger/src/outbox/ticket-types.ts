/** News about tickets of a line. Only webhooks that name them hear them: there are many more than of everything else. */
export const TICKET_NEWS_TYPES = [
  'ticket.joined',
  'ticket.admitted',
  'ticket.active',
  'ticket.completed',
  'ticket.expired',
] as const

export type TicketNewsType = (typeof TICKET_NEWS_TYPES)[number]
