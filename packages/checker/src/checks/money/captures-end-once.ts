import { type Check, type CheckRun, Findings } from '../../check.ts'
import { type Payment, PaymentBook, type ProviderEntry } from './payment-book.ts'

/**
 * I9. Each capture ends as one purchase or is refunded, as a whole or seat by seat, unless it is still under way: what was
 * captured is what is booked and what was refunded.
 */
export const capturesEndOnce: Check = {
  id: 'I9',
  name: 'each capture is a purchase, a refund, or both to the cent',
  start(): CheckRun {
    const findings = new Findings(
      'captures',
      'purchases',
      'refunds',
      'partial refunds',
      'under way',
      'for the operator to decide',
    )
    const book = new PaymentBook()
    return {
      see: (record) => book.see(record),
      finish() {
        for (const payment of book.payments.values()) judge(findings, book, payment)
        for (const entry of book.books.values()) compare(findings, book.payments.get(entry.payment), entry)
        return findings.verdict('captures')
      },
    }
  },
}

function judge(findings: Findings, book: PaymentBook, payment: Payment): void {
  const { payment: name, hold, status, captured, refunded, kept = 0 } = payment
  if (captured > 0) findings.count('captures')
  switch (status) {
    case 'paid': {
      const paid = book.paymentsOf(hold).filter((other) => other.status === 'paid')
      if (refunded > 0) findings.violate(`Payment ${name} is a purchase and was refunded`, payment)
      else if (!book.sold.has(hold)) findings.violate(`Payment ${name} is paid, and nothing is sold for it`, payment)
      else if (paid[0] !== payment) findings.violate(`${hold} is paid for ${paid.length} times`, ...paid)
      else findings.count('purchases')
      return
    }
    case 'partly_refunded':
      if (!book.sold.has(hold)) findings.violate(`Payment ${name} is refunded in part, and nothing is sold`, payment)
      else if (refunded + kept > captured) findings.violate(`More than was captured of ${name} went back`, payment)
      else judgeRefunds(findings, book, payment)
      return
    case 'refunded':
      if (book.refunds.has(name)) judgeRefunds(findings, book, payment)
      if (refunded + kept !== captured) findings.violate(`Payment ${name} was not refunded in full`, payment)
      else findings.count('refunds')
      return
    case 'declined':
      if (captured > refunded) findings.violate(`Payment ${name} is declined, and its money is kept`, payment)
      return
    case 'processing':
    case 'refunding':
      findings.count('under way')
      return
    case 'stuck':
      findings.count('for the operator to decide')
      return
  }
}

/** The refunds of a payment, seat by seat, are what the payment says. */
function judgeRefunds(findings: Findings, book: PaymentBook, payment: Payment): void {
  const { payment: name, refunded, kept = 0 } = payment
  const sums = book.refunds.get(name) ?? { amount: 0, kept: 0 }
  if (sums.amount !== refunded || sums.kept !== kept) {
    findings.violate(`The refunds of ${name} are ${sums.amount}, and the payment says ${refunded}`, payment)
  } else findings.count('partial refunds')
}

/** The provider's books name every capture, also one that the ledger has lost. */
function compare(findings: Findings, payment: Payment | undefined, entry: ProviderEntry): void {
  const kept = entry.captured - entry.refunded
  if (payment === undefined) {
    if (kept > 0)
      findings.violate(`The provider keeps ${kept} for ${entry.payment}, which the ledger does not know`, entry)
    return
  }
  if (payment.status === 'processing' || payment.status === 'refunding' || payment.status === 'stuck') return
  const ours = payment.captured - payment.refunded
  // Of what is on its way back the provider may have sent nothing, some or all.
  if (kept > ours || kept < ours - (payment.pending ?? 0)) {
    findings.violate(`The provider keeps ${kept} for ${entry.payment}; the ledger says ${ours}`, payment, entry)
  }
}
