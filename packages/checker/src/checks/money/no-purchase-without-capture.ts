import { type Check, type CheckRun, Findings } from '../../check.ts'
import { PaymentBook } from './payment-book.ts'

/** I10. Every hold that is sold at the end was paid for in full, unless it is free. */
export const noPurchaseWithoutCapture: Check = {
  id: 'I10',
  name: 'no purchase without a capture',
  start(): CheckRun {
    const findings = new Findings('purchases', 'of them free')
    const book = new PaymentBook()
    return {
      see: (record) => book.see(record),
      finish() {
        for (const [hold, sale] of book.sold) {
          const amount = book.holds.get(hold)?.amount
          // A history without prices cannot be checked.
          if (amount === undefined) continue
          findings.count('purchases')
          if (amount === 0) {
            findings.count('of them free')
            continue
          }
          const payments = book.paymentsOf(hold)
          // A payment being refunded still pays for the seats until the refund is complete.
          const paid = payments.find(
            ({ status }) => status === 'paid' || status === 'partly_refunded' || status === 'refunding',
          )
          // What went back for seats is not owed any more.
          const back = book.refunds.get(paid?.payment ?? '')?.amount ?? 0
          const kept = (paid?.captured ?? 0) - (paid?.refunded ?? 0) + back
          if (kept < amount) findings.violate(`${hold} costs ${amount}, and ${kept} was captured`, sale, ...payments)
          const entry = paid === undefined ? undefined : book.books.get(paid.payment)
          if (entry !== undefined && entry.captured < amount) {
            findings.violate(`${hold} costs ${amount}; the provider captured ${entry.captured}`, sale, entry)
          }
        }
        return findings.verdict('purchases')
      },
    }
  },
}
