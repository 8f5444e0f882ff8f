export { type Delivery, type DeliveryKind, failDelivery, finishDelivery, leaseDeliveries } from './deliveries.ts'
export { handOutNews } from './hand-out-news.ts'
export { countWaitingNews, forgetNews } from './news-in-store.ts'
export { type Addressee, readAddressee } from './read-addressee.ts'
export { listSetAside, resendDelivery, type SetAside } from './set-aside.ts'
export { type News, newsToTell, tell } from './tell.ts'
export {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  listWebhooksSealedWith,
  readWebhook,
  sealWebhookAgain,
  type Webhook,
} from './webhooks.ts'
