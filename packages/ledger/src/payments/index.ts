export { type ConfirmOutcome, confirmPayment } from './concluding/confirm-payment.ts'
export { type ConfirmTogether, confirmTogether, type PaidPayment } from './concluding/confirm-together.ts'
export { type DeclineOutcome, declinePayment, markPaymentStuck, withdrawPayment } from './concluding/decline-payment.ts'
export { type Purchase, readPurchase, readPurchasesOf } from './purchase.ts'
export { finishRefund, type RefundOutcome, startRefund } from './refunding/refund-purchase.ts'
export {
  concludeSandboxPayments,
  moveSandboxPayments,
  openSandboxPayments,
  readSandboxPayment,
  refundSandboxPayment,
  type SandboxMischief,
  type SandboxMove,
  type SandboxOrder,
  type SandboxPayment,
} from './sandbox/books.ts'
export { forgetSandboxWebhooks, takeSandboxWebhooks } from './sandbox/webhooks.ts'
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
