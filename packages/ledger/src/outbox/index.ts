export { type Delivery, type DeliveryKind, failDelivery, finishDelivery, leaseDeliveries } from './deliveries.ts'
export { handOutNews } from './hand-out-news.ts'
export { listDeliveries, readDelivery, type WebhookDelivery } from './list-deliveries.ts'
export { countWaitingNews, forgetNews } from './news-in-store.ts'
export { type Addressee, readAddressee } from './read-addressee.ts'
export { listSetAside, resendDelivery, type SetAside } from './set-aside.ts'
export { type News, newsToTell, tell, tellLetter } from './tell.ts'
export { TICKET_NEWS_TYPES, type TicketNewsType } from './ticket-types.ts'
export {
  type BuyerMail,
  countBuyers,
  listMail,
  type MailDelivery,
  mailBuyers,
  readBuyerMail,
} from './to-buyers/buyer-mails.ts'
export { askForTurnMail, forgetTurnMails, readTurn, type Turn, tellTurns } from './turn-mails.ts'
export {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  listWebhooksSealedWith,
  readWebhook,
  sealWebhookAgain,
  type Webhook,
} from './webhooks.ts'
