export {
  claimDeliveries,
  type Delivery,
  type DeliveryKind,
  type Failure,
  failDelivery,
  finishDelivery,
} from './deliveries.ts'
export { handOutNews } from './hand-out-news.ts'
export { countWaitingNews, forgetNews } from './news-in-store.ts'
export { type Addressee, readAddressee } from './read-addressee.ts'
export { listSetAside, resendDelivery, type SetAside } from './set-aside.ts'
