import { spellShortCode } from '@seatwise/domain'
import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { formatMoney } from '../../views/money.ts'
import { WORDS } from '../../words/index.ts'
import { say } from '../../words/say.ts'
import { type DoorMethod, type DoorProblem, sayProblem } from './door.ts'

export interface DoorSold {
  readonly eventId: string
  readonly eventName: string
  readonly purchaseId: string
  readonly amount: number
  readonly currency: string
  readonly method: DoorMethod
  readonly etickets: readonly SoldTicket[]
  /** Where the e-tickets went; empty when they are printed. */
  readonly email: string
  /** The mail was asked for a moment ago. */
  readonly isSent: boolean
  readonly problem: DoorProblem | null
}

interface SoldTicket {
  readonly shortCode: string | null
  readonly seat: { readonly type: string; readonly row: string | null; readonly number: number | null }
}

/** What was just sold: codes to read out, tickets to print, mail to send. */
export function consoleDoorSoldPage(language: Language, sold: DoorSold): Page {
  const words = WORDS[language].door
  const { eventId, eventName, purchaseId, problem } = sold
  const address = `/console/events/${eventId}/door`
  const amount = formatMoney(language, sold.amount, sold.currency)
  const said = problem === null ? null : sayProblem(language, problem)
  return {
    title: `${words.soldTitle}: ${eventName}`,
    styles: ['console'],
    body: html`<div class="console stack door">
<nav class="small" aria-label="${WORDS[language].console.title}"><a class="target" href="${address}">${icon('back')}${words.title}</a></nav>
<h1>${words.soldTitle}</h1>
<p class="lead">${amount} · ${words.methods[sold.method]}</p>
${said === null ? null : html`<p class="notice bad" role="alert">${said}</p>`}
${sold.isSent ? html`<p class="notice good" role="status">${say(language, words.sent, { email: sold.email })}</p>` : null}
<table><caption class="heard">${words.seats}</caption>
<thead><tr><th scope="col">${words.seat}</th><th scope="col">${words.code}</th></tr></thead>
<tbody>${sold.etickets.map((eticket) => row(language, eticket))}</tbody></table>
<p class="actions"><a class="button main" href="${address}">${words.next}</a>
<a class="button" href="${address}/sales/${purchaseId}/print">${icon('print')}${words.print}</a></p>
<form method="post" action="${address}/sales/${purchaseId}/send" class="finder">
<label class="field">${words.email}<input name="email" type="email" autocomplete="off" required maxlength="254" value="${sold.email}"></label>
<button>${words.send}</button>
</form>
</div>`,
  }
}

function row(language: Language, { seat, shortCode }: SoldTicket): Html {
  const words = WORDS[language].door
  const { type, row, number } = seat
  const place =
    row === null || number === null ? '' : ` · ${say(language, words.seatName, { row, number: String(number) })}`
  return html`<tr><th scope="row">${type}${place}</th><td class="code">${shortCode === null ? '–' : spellShortCode(shortCode)}</td></tr>`
}
