import { type News, TICKET_NEWS_TYPES, type TicketNewsType } from '@seatwise/ledger'

/** The types of news that a webhook can subscribe to. */
export const WEBHOOK_TYPES = [
  'reservation.created',
  'reservation.expired',
  'reservation.canceled',
  'offer.made',
  'purchase.started',
  'purchase.paid',
  'purchase.declined',
  'purchase.refunding',
  'purchase.refunded',
  'purchase.stuck',
  'purchase.resent',
  'event.cancelled',
  'event.moved',
  'event.mailed',
  ...TICKET_NEWS_TYPES,
] as const satisfies readonly (News['type'] | TicketNewsType)[]

export type WebhookType = (typeof WEBHOOK_TYPES)[number]
