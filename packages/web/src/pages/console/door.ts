import type { PriceLine, SaleEvent, SeatType } from '@seatwise/domain'
import { type Fillable, type Html, html, trustedHtml } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { formatMoney } from '../../views/money.ts'
import { WORDS } from '../../words/index.ts'
import { type Filling, say } from '../../words/say.ts'
import type { Words } from '../../words/words.ts'
import { type CashUp, cashUpSection } from './cash-up.ts'

export const DOOR_METHODS = ['cash', 'terminal', 'complimentary'] as const
export type DoorMethod = (typeof DOOR_METHODS)[number]

/** A numbered seat as the plan shows it. */
export interface DoorSeat {
  readonly id: string
  readonly row: string
  readonly number: number
  readonly isFree: boolean
  readonly accessible: boolean
}

/** What the seller has chosen so far; the form shows it again. */
export interface DoorChoice {
  readonly seatTypeId: string | null
  /** One for each variant of the type, in their order; one in all where it has none. */
  readonly quantities: readonly number[]
  readonly seatIds: readonly string[]
  readonly method: DoorMethod
  readonly email: string
}

/** What the choice costs, and the fields that sell it. */
export interface DoorQuote {
  readonly lines: readonly PriceLine[]
  readonly amount: number
  readonly tax: number
  readonly seatNames: readonly string[]
  /** Of the form that sells, with the key under which it does so once. */
  readonly fields: Readonly<Record<string, string>>
}

export interface DoorProblem {
  readonly code: keyof Words['door']['problems']
  readonly count?: number
}

export interface DoorFacts {
  readonly event: SaleEvent
  readonly choice: DoorChoice
  /** The seats of the chosen type, when its plan is open; null when it is too large. */
  readonly plan: { readonly seatTypeId: string; readonly seats: readonly DoorSeat[] | null } | null
  readonly quote: DoorQuote | null
  /** Of the sale that begins with the forms of this page: going back to the total and confirming again sells once. */
  readonly key: string
  readonly problem: DoorProblem | null
  readonly cashUp: CashUp
}

/** Selling at the door on a tablet. Plain forms: what needs no script cannot fail for want of one. */
export function consoleDoorPage(language: Language, facts: DoorFacts): Page {
  const words = WORDS[language].door
  const { event, quote, problem } = facts
  const said = problem === null ? null : sayProblem(language, problem)
  return {
    title: `${words.title}: ${event.name}`,
    styles: ['console'],
    body: html`<div class="console stack door">
<nav class="small" aria-label="${WORDS[language].console.title}"><a class="target" href="/console/events/${event.id}">${icon('back')}${event.name}</a></nav>
<h1>${words.title}</h1>
${said === null ? null : html`<p class="notice bad" role="alert">${said}</p>`}
${quote === null ? choosing(language, facts) : review(language, facts, quote)}
${cashUpSection(language, event.id, facts.cashUp)}
</div>`,
  }
}

export function sayProblem(language: Language, { code, count = 0 }: DoorProblem): string {
  const filling: Filling = { count }
  return say(language, WORDS[language].door.problems[code], filling)
}

function choosing(language: Language, facts: DoorFacts): Html {
  const words = WORDS[language].door
  return html`<p class="lead">${words.lead}</p>
${facts.event.seatTypes.map((type) => typeForm(language, facts, type))}`
}

function typeForm(language: Language, { event, choice, plan, key }: DoorFacts, type: SeatType): Html {
  const words = WORDS[language].door
  const address = `/console/events/${event.id}/door`
  const isChosen = choice.seatTypeId === type.id
  const seats = plan?.seatTypeId === type.id ? plan.seats : undefined
  const left = say(language, words.left, { count: type.remaining })
  return html`<section class="sheet stack" id="type-${type.id}" aria-labelledby="name-${type.id}">
<h2 id="name-${type.id}">${type.name} <span class="small quiet">${left}</span></h2>
<form method="get" action="${address}" class="stack">
<input type="hidden" name="type" value="${type.id}"><input type="hidden" name="key" value="${key}">
${seats ? html`<input type="hidden" name="plan" value="${type.id}">` : null}
${type.reservedSeating ? planPart(language, { address, type, seats, chosen: choice.seatIds }) : null}
<div class="fields">${quantityFields(language, type, isChosen ? choice.quantities : [])}</div>
${methodChoice(language, type.id, choice.method)}
<label class="field">${words.email}<input name="email" type="email" autocomplete="off" maxlength="254" value="${isChosen ? choice.email : ''}"></label>
<p><button class="main">${words.review}</button></p>
</form>
</section>`
}

function quantityFields(language: Language, type: SeatType, quantities: readonly number[]): Html[] {
  const words = WORDS[language].door
  const prices = type.variants.length > 0 ? type.variants : [{ name: words.tickets, price: type.price }]
  return prices.map(({ name, price }, index) => {
    const label = `${name} · ${formatMoney(language, price, type.currency)}`
    return html`<label class="field">${label}<input name="n-${index}" type="number" inputmode="numeric" min="0" max="1000" value="${quantities[index] ?? 0}"></label>`
  })
}

function methodChoice(language: Language, typeId: string, chosen: DoorMethod): Html {
  const words = WORDS[language].door
  const choices = DOOR_METHODS.map(
    (method) =>
      html`<label class="target"><input type="radio" name="method" value="${method}" ${method === chosen ? trustedHtml('checked') : null}> ${words.methods[method]}</label>`,
  )
  return html`<fieldset class="choices" id="method-${typeId}"><legend>${words.method}</legend>${choices}</fieldset>`
}

interface PlanPart {
  readonly address: string
  readonly type: SeatType
  /** Undefined while the plan is closed, null where it is too large. */
  readonly seats: readonly DoorSeat[] | null | undefined
  readonly chosen: readonly string[]
}

function planPart(language: Language, { address, type, seats, chosen }: PlanPart): Html {
  const words = WORDS[language].door
  const open = `${address}?${new URLSearchParams({ plan: type.id })}#type-${type.id}`
  if (seats === undefined) {
    return html`<p class="hint">${words.bestSeats}</p><p><a class="button" href="${open}">${icon('chair')}${words.openPlan}</a></p>`
  }
  if (seats === null) return html`<p class="notice">${words.planTooLarge}</p>`
  const rows = [...Map.groupBy(seats, ({ row }) => row)].map(
    ([row, inRow]) =>
      html`<div class="door-row" role="group" aria-label="${say(language, words.row, { row })}"><span class="label" aria-hidden="true">${row}</span>${inRow.map((seat) => seatBox(language, seat, chosen.includes(seat.id)))}</div>`,
  )
  return html`<fieldset class="door-plan"><legend>${say(language, words.plan, { type: type.name })}</legend>
<div class="table-scroll" tabindex="0" role="region" aria-label="${say(language, words.plan, { type: type.name })}">${rows}</div></fieldset>
<p><a class="button" href="${address}#type-${type.id}">${words.closePlan}</a></p>`
}

function seatBox(language: Language, { id, row, number, isFree, accessible }: DoorSeat, isChosen: boolean): Html {
  const words = WORDS[language].door
  const name = say(language, words.seatName, { row, number: String(number) })
  const state: Fillable = isFree ? (isChosen ? trustedHtml('checked') : null) : trustedHtml('disabled')
  const label = accessible ? `${name}, ${words.accessible}` : name
  return html`<label class="door-seat"><input type="checkbox" name="seat" value="${id}" aria-label="${label}" ${state}><span aria-hidden="true">${number}</span></label>`
}

function review(language: Language, { event, choice }: DoorFacts, quote: DoorQuote): Html {
  const words = WORDS[language].door
  const currency = event.seatTypes[0]?.currency ?? 'EUR'
  const money = (amount: number): string => formatMoney(language, amount, currency)
  const rows = quote.lines.map(
    (line) =>
      html`<tr><th scope="row">${line.name}${line.kind === 'seat' ? ` × ${line.quantity}` : null}</th><td class="number">${money(line.amount)}</td></tr>`,
  )
  const query = queryOf(choice)
  const taxed = say(language, words.taxIncluded, { amount: money(quote.tax) })
  return html`<section class="sheet stack" aria-labelledby="review">
<h2 id="review">${words.reviewTitle}</h2>
${quote.seatNames.length === 0 ? null : html`<p>${quote.seatNames.join(' · ')}</p>`}
<table class="prices"><tbody>${rows}</tbody>
<tfoot><tr><th scope="row">${words.total}</th><td class="number door-total">${money(quote.amount)}</td></tr></tfoot></table>
${quote.tax === 0 ? null : html`<p class="quiet">${taxed}</p>`}
<p>${words.methods[choice.method]}${choice.email === '' ? null : ` · ${choice.email}`}</p>
<form method="post" action="/console/events/${event.id}/door" class="actions">
${Object.entries(quote.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="main">${say(language, words.confirm, { amount: money(quote.amount) })}</button>
<a class="button" href="/console/events/${event.id}/door?${query}">${words.change}</a>
</form>
</section>`
}

/** The address at which the same choice can be changed. */
function queryOf({ seatTypeId, quantities, seatIds, method, email }: DoorChoice): string {
  const query = new URLSearchParams({ edit: seatTypeId ?? '', method, email })
  for (const [index, quantity] of quantities.entries()) query.set(`n-${index}`, String(quantity))
  if (seatIds.length > 0) query.set('plan', seatTypeId ?? '')
  for (const id of seatIds) query.append('seat', id)
  return query.toString()
}
