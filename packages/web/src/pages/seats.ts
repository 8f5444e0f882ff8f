import type { Active } from '@seatwise/client'
import type { PlanShape, SaleEvent, SeatType } from '@seatwise/domain'
import type { Accent } from '../accent.ts'
import { type Html, html, trustedHtml } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { tellClock } from '../views/duration.ts'
import { formatMoney } from '../views/money.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import type { Words } from '../words/words.ts'
import { type AppliedCode, type CodeVerdict, codeField } from './code-field.ts'
import { shortTimeTag } from './time-tag.ts'

export interface SeatsFacts {
  readonly event: SaleEvent
  readonly place: Active
  readonly accent: Accent | null
  /** Under which the form reserves, however often it is sent. */
  readonly key: string
  readonly problem: SeatsProblem | null
  /** The visitor's code; the event has the hidden seat types that it opens. */
  readonly code: AppliedCode | null
  readonly verdict: CodeVerdict | null
  readonly now: number
}

export interface SeatsProblem {
  readonly code: 'wasTaken' | 'notEnough' | 'noneNow' | 'tooMany' | 'noTogether' | 'noTime'
  readonly count: number
}

/** What the script of the seat map needs to know. */
export interface SeatsData {
  readonly language: Language
  readonly words: Pick<Words, 'code' | 'seats' | 'wait'>
  readonly event: {
    readonly id: string
    readonly name: string
    readonly maxSeatsPerBuyer: number
    /** Of each seat type that has some: the labels of rows begin with them. */
    readonly sections: Readonly<Record<string, readonly string[]>>
    readonly shapes: readonly PlanShape[]
  }
  readonly place: Active
  /** With which seats are reserved; `opens`: it has seats of its own. */
  readonly code: { readonly text: string; readonly opens: boolean } | null
}

/** Choosing seats: a map where there is a script, and everywhere a form that takes the best of a category. */
export function seatsPage(language: Language, facts: SeatsFacts): Page {
  const words = WORDS[language].seats
  const { event, place, problem, code, verdict, now } = facts
  const left = place.endsAt - now
  const data: SeatsData = {
    language,
    words: { seats: words, wait: WORDS[language].wait, code: WORDS[language].code },
    event: {
      id: event.id,
      name: event.name,
      maxSeatsPerBuyer: event.room.maxSeatsPerBuyer,
      sections: sectionsOf(event),
      shapes: event.shapes,
    },
    place,
    code: code?.kind === 'event' ? { text: code.text, opens: code.access } : null,
  }
  return {
    title: `${words.title} · ${event.name}`,
    host: event.organizer,
    accent: facts.accent,
    entry: 'seats',
    preload: `/api/events/${event.id}/seats`,
    listens: true,
    styles: ['seats'],
    frame: 'task',
    data,
    banner: html`<p class="banner"><span>${event.name}</span>${event.startsAt === null ? null : html`<span class="when"> · ${shortTimeTag(language, event.startsAt, event.timeZone)}</span>`}</p>
<p class="timer"><span class="label">${words.timeLeft}</span> <span class="number" id="time-left" role="timer">${tellClock(left)}</span></p>`,
    body: html`<h1 class="heard">${words.title}</h1>
${problem === null ? null : html`<p class="notice bad" role="alert">${say(language, words[problem.code], { count: problem.count })}</p>`}
${place.reservation === null ? null : keptNotice(language, place.reservation.id)}
<div id="seats"><noscript>${plainForm(language, facts)}</noscript></div>
${codeField(language, { action: `/events/${event.id}/code`, next: `/events/${event.id}/seats`, applied: code, verdict })}
<noscript>${extendForm(language, facts)}</noscript>`,
  }
}

function sectionsOf({ seatTypes }: SaleEvent): Record<string, readonly string[]> {
  const named = seatTypes.map(({ id, rows }) => {
    const names = new Set((rows ?? []).flatMap(({ section }) => section ?? []))
    return [id, [...names]] as const
  })
  return Object.fromEntries(named.filter(([, names]) => names.length > 0))
}

function keptNotice(language: Language, reservationId: string): Html {
  const words = WORDS[language].seats
  return html`<section class="sheet"><h2>${words.continuePay}</h2><p>${words.continuePayLead}</p>
<p><a class="button main" href="/checkout/${reservationId}">${WORDS[language].wait.toCheckout}</a></p></section>`
}

function plainForm(language: Language, { event, key }: SeatsFacts): Html {
  const words = WORDS[language].seats
  const free = event.seatTypes.filter(({ remaining }) => remaining > 0)
  const quantities = Array.from({ length: Math.min(event.room.maxSeatsPerBuyer, 50) }, (_unused, index) => index + 1)
  if (free.length === 0) return html`<p class="notice">${words.noneNow}</p>`
  return html`<form method="post" action="/events/${event.id}/seats" class="stack narrow">
<input type="hidden" name="key" value="${key}">
<fieldset class="choices"><legend>${words.chooseType}</legend>${free.flatMap(pricesOf).map((one, index) => typeChoice(language, one, index === 0))}</fieldset>
<label class="field">${words.howMany}<select name="quantity">${quantities.map((count) => html`<option value="${count}">${count}</option>`)}</select></label>
<label><input type="checkbox" name="accessible" value="true"> ${words.needsAccessible}</label>
<button class="main">${icon('chair')}${words.best}</button>
</form>`
}

/** A type once for each of its prices: without a script all seats of an order have the same one. */
function pricesOf(type: SeatType): PlainChoice[] {
  const { id, name, price, variants } = type
  if (variants.length === 0) return [{ type, value: id, name, price }]
  return variants.map((variant) => ({
    ...{ type, value: `${id} ${variant.id}`, name: `${name} · ${variant.name}` },
    price: variant.price,
  }))
}

interface PlainChoice {
  readonly type: SeatType
  readonly value: string
  readonly name: string
  readonly price: number
}

function typeChoice(language: Language, { type, value, name, price }: PlainChoice, isFirst: boolean): Html {
  const { currency, remaining } = type
  const left = say(language, WORDS[language].event.left, { count: remaining })
  return html`<label><input type="radio" name="choice" value="${value}" required ${isFirst ? trustedHtml('checked') : null}> ${name} · ${formatMoney(language, price, currency)} <span class="quiet">${left}</span></label>`
}

function extendForm(language: Language, { event, place }: SeatsFacts): Html | null {
  if (place.extended) return null
  const words = WORDS[language].wait
  return html`<form class="narrow" method="post" action="/events/${event.id}/wait/extend"><input type="hidden" name="next" value="/events/${event.id}/seats"><button class="plain">${words.moreTime}</button></form>`
}

/** For a visitor who came too early: a link to the line. */
export function notInsidePage(language: Language, event: SaleEvent): Page {
  const words = WORDS[language].seats
  return {
    title: words.notInside,
    host: event.organizer,
    frame: 'task',
    body: html`<section class="narrow"><h1>${words.notInside}</h1><p class="lead">${words.notInsideLead}</p>
<p class="actions"><a class="button main" href="/events/${event.id}/wait">${words.toLine}</a></p></section>`,
  }
}
