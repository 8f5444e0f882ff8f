import { type Html, html } from '../../html.ts'
import type { Language } from '../../language.ts'
import { formatMoney } from '../../views/money.ts'
import { WORDS } from '../../words/index.ts'
import { formatNumber, say } from '../../words/say.ts'
import type { DoorMethod } from './door.ts'

export interface CashUpLine {
  readonly sellerId: string | null
  readonly sellerName: string | null
  readonly method: DoorMethod
  readonly currency: string
  readonly sales: number
  readonly seats: number
  readonly taken: number
  readonly paidOut: number
}

/** What was taken in and paid out on one day of the venue. */
export interface CashUp {
  /** 2026-11-18. */
  readonly day: string
  readonly lines: readonly CashUpLine[]
}

/** The drawer at the end of the day: by seller and method, and the sum of each method. */
export function cashUpSection(language: Language, eventId: string, { day, lines }: CashUp): Html {
  const words = WORDS[language].door
  const date = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', timeZone: 'UTC' })
  const title = say(language, words.cashUpOf, { day: date.format(new Date(`${day}T00:00:00Z`)) })
  return html`<section class="stack" aria-labelledby="cash-up">
<h2 id="cash-up">${title}</h2>
${lines.length === 0 ? html`<p>${words.noSales}</p>` : table(language, title, lines)}
<p><a class="button" href="/api/events/${eventId}/cash-up.csv">${words.cashUpCsv}</a></p>
</section>`
}

function table(language: Language, title: string, lines: readonly CashUpLine[]): Html {
  const words = WORDS[language].door
  const heads = [words.seller, words.method, words.sales, words.seats, words.taken, words.paidOut, words.balance]
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${words.cashUp}"><table>
<caption class="heard">${title}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${lines.map((line) => row(language, line.sellerName ?? words.noSeller, line))}</tbody>
<tfoot>${sumsOf(lines).map((line) => row(language, words.allSellers, line))}</tfoot>
</table></div>`
}

function row(language: Language, seller: string, line: CashUpLine): Html {
  const money = (amount: number): string => formatMoney(language, amount, line.currency)
  return html`<tr><th scope="row">${seller}</th><td>${WORDS[language].door.methods[line.method]}</td>
<td class="number">${formatNumber(language, line.sales)}</td><td class="number">${formatNumber(language, line.seats)}</td>
<td class="number">${money(line.taken)}</td><td class="number">${money(line.paidOut)}</td>
<td class="number">${money(line.taken - line.paidOut)}</td></tr>`
}

/** One line for each method and currency, of all sellers together. */
function sumsOf(lines: readonly CashUpLine[]): CashUpLine[] {
  return [...Map.groupBy(lines, ({ method, currency }) => `${method} ${currency}`).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const sum = (key: 'sales' | 'seats' | 'taken' | 'paidOut') => same.reduce((total, line) => total + line[key], 0)
    const sums = { sales: sum('sales'), seats: sum('seats'), taken: sum('taken'), paidOut: sum('paidOut') }
    return [{ ...first, sellerId: null, sellerName: null, ...sums }]
  })
}
