export {
  type Cancellation,
  cancelEvent,
  readCancellation,
} from './cancelling/cancel-event.ts'
export {
  endLease,
  finishCancellation,
  type LeasedCancellation,
  leaseCancellation,
  noteCancelledOrder,
  noteLineTold,
  noteToldBuyers,
  takeCancelledOrders,
} from './cancelling/cancellation-work.ts'
export { type ConfirmOutcome, confirmPayment } from './concluding/confirm-payment.ts'
export { type ConfirmTogether, confirmTogether, type PaidPayment } from './concluding/confirm-together.ts'
export { type DeclineOutcome, declinePayment, markPaymentStuck, withdrawPayment } from './concluding/decline-payment.ts'
export { DOOR_METHODS, DOOR_PROVIDER, type DoorMethod, type DoorSale, readDoorSale } from './door/door-sale.ts'
export { type CashUpRow, readCashUp } from './door/read-cash-up.ts'
export { type DoorOrder, type DoorOutcome, type SoldAtDoor, sellAtDoor } from './door/sell-at-door.ts'
export { keepOrder, readOrderFacts } from './ordering/orders.ts'
export { type Purchase, readPurchase, readPurchasesOf } from './purchase.ts'
export {
  exportReceipts,
  listPapers,
  numberReceipts,
  type Period,
  type Receipt,
  type ReceiptLine,
  readReceipts,
  type Seller,
} from './receipts/receipts.ts'
export { type FinishRefundOutcome, finishRefund } from './refunding/finish-refund.ts'
export { noteRefusal, type Refund, readRefund, readRefundsOf, takePendingRefunds } from './refunding/refund.ts'
export { type RefundOffer, readRefundOffer } from './refunding/refund-offer.ts'
export { type RefundWish, type StartRefundOutcome, startRefund } from './refunding/start-refund.ts'
export { RESENDS_MAX, type ResendOutcome, resendTickets } from './resending/resend-tickets.ts'
export {
  concludeSandboxPayments,
  moveSandboxPayments,
  openSandboxPayments,
  readSandboxPayment,
  readSandboxRefunded,
  refundSandboxPayment,
  type SandboxMischief,
  type SandboxMove,
  type SandboxOrder,
  type SandboxPayment,
} from './sandbox/books.ts'
export { forgetSandboxWebhooks, takeSandboxWebhooks } from './sandbox/webhooks.ts'
export { editOrganization, listOrganizations, type Organization, readOrganization } from './sellers/sellers.ts'
export { noteCharge, takeUnknownCharges } from './settlement/charges.ts'
export {
  exportSettlement,
  readSettlement,
  type SettledSums,
  type Settlement,
  type SettlementOf,
} from './settlement/settlement.ts'
export { type Payable, readPayables } from './starting/read-payables.ts'
export { type StartOutcome, type StartPayment, startPayment } from './starting/start-payment.ts'
export { startTogether } from './starting/start-together.ts'
export {
  findPurchaseByRef,
  listDecidedPayments,
  listStuckPayments,
  notePaymentRefs,
  type PaymentRef,
  readPatience,
  takeUndecidedPayments,
} from './undecided/undecided-payments.ts'
