import type { Receipt, ReceiptLine } from '@seatwise/ledger'
import { formatMoney, type Language, tellMomentNamed, WORDS } from '@seatwise/web'
import type { Paper } from './press/paper.ts'

export interface ReceiptFacts {
  readonly receipt: Receipt
  /** Of the receipt that a credit note is for; null for a receipt itself. */
  readonly creditedNumber: number | null
  readonly purchaseId: string
}

/** A receipt or a credit note; it follows from what was stored at issue alone, so that it never changes (B153). */
export function composeReceipt(language: Language, { receipt, creditedNumber, purchaseId }: ReceiptFacts): Paper {
  const words = WORDS[language].paper
  const { kind, number, seller, buyer, event, issuedAt } = receipt
  const title = `${kind === 'receipt' ? words.receipt : words.creditNote} ${number}`
  return {
    ...{ title, language, author: seller.name, createdAt: issuedAt.toISOString() },
    sheets: [
      [
        { kind: 'heading', text: title },
        { kind: 'gap' },
        { kind: 'text', text: words.seller, style: 'quiet' },
        { kind: 'text', text: seller.name, style: 'large' },
        ...lineOf(seller.address),
        ...lineOf(seller.taxNumber === '' ? '' : `${words.taxNumber}: ${seller.taxNumber}`),
        { kind: 'gap' },
        { kind: 'text', text: words.buyer, style: 'quiet' },
        ...lineOf(buyer.name ?? ''),
        ...lineOf(buyer.email ?? ''),
        { kind: 'gap' },
        {
          kind: 'facts',
          rows: [
            [words.number, String(number)],
            [words.date, tellTime(language, issuedAt, event.timeZone)],
            ...(creditedNumber === null ? [] : [[words.forReceipt, String(creditedNumber)] as const]),
            [words.event, nameEvent(language, event)],
            [words.payment, namePayment(language, receipt)],
            [words.purchase, purchaseId],
          ],
        },
        { kind: 'gap' },
        table(language, receipt),
      ],
    ],
  }
}

function table(language: Language, { kind, lines, amount, tax, currency }: Receipt) {
  const words = WORDS[language].paper
  const money = (minor: number): string => formatMoney(language, minor, currency)
  const sign = kind === 'receipt' ? 1 : -1
  const cells = (line: ReceiptLine): string[] => [
    line.kind === 'refund' ? words.partialRefund : line.name,
    line.kind === 'seat' ? String(line.quantity) : '',
    line.kind === 'seat' ? money(line.unitPrice) : '',
    money(line.tax),
    money(line.amount),
  ]
  const sum = (label: string, minor: number): string[] => [label, '', '', '', money(sign * minor)]
  return {
    kind: 'table' as const,
    columns: [
      { label: words.item, align: 'left' as const, width: 0.38 },
      { label: words.quantity, align: 'right' as const, width: 0.12 },
      { label: words.unitPrice, align: 'right' as const, width: 0.16 },
      { label: words.taxIncluded, align: 'right' as const, width: 0.16 },
      { label: words.amount, align: 'right' as const, width: 0.18 },
    ],
    rows: lines.map(cells),
    sums: [sum(words.net, amount - tax), sum(words.taxIncluded, tax), sum(words.total, amount)],
  }
}

function nameEvent(language: Language, { name, location, startsAt, timeZone }: Receipt['event']): string {
  const time = startsAt === null ? '' : tellTime(language, new Date(startsAt), timeZone)
  return [name, time, location].filter((part) => part !== '').join('\n')
}

/** Names of companies are the same in every language. */
const COMPANIES = { stripe: 'Stripe', mollie: 'Mollie' }

function namePayment(language: Language, { amount, provider }: Receipt): string {
  const words = WORDS[language].paper
  const names: Readonly<Record<string, string>> = { ...COMPANIES, ...words.providers }
  return amount === 0 ? words.free : (names[provider] ?? provider)
}

const lineOf = (text: string) => (text === '' ? [] : [{ kind: 'text' as const, text }])

/** A reader of paper has no browser that could show their own zone: the venue's is named. */
export function tellTime(language: Language, at: Date, timeZone: string): string {
  // Days before months, as in the whole of Europe.
  return tellMomentNamed(language === 'en' ? 'en-GB' : language, at.getTime(), timeZone, 'full')
}
