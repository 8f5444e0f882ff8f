export {
  moveSandboxPayment,
  openSandboxPayment,
  readSandboxPayment,
  refundSandboxPayment,
  type SandboxMischief,
  type SandboxPayment,
  settleSandboxPayments,
} from './sandbox/books.ts'
export { forgetSandboxWebhook, type SandboxWebhook, takeSandboxWebhooks } from './sandbox/webhooks.ts'
export {
  findPurchaseByRef,
  listDecidedPayments,
  listStuckPayments,
  notePaymentRef,
  readPatience,
  takeUndecidedPayments,
} from './undecided/undecided-payments.ts'
