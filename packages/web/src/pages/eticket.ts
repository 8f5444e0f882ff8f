import { spellShortCode } from '@seatwise/domain'
import { type Html, html, trustedHtml } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { timeTag } from './time-tag.ts'

export interface EticketFacts {
  readonly id: string
  readonly status: 'VALID' | 'USED' | 'VOID'
  /** The drawing of its code; null when it is void, or another's. */
  readonly drawing: string | null
  /** What is typed where the drawing cannot be read; null with it. */
  readonly shortCode: string | null
  readonly event: {
    readonly name: string
    readonly location: string
    readonly timeZone: string
    readonly startsAt: string | null
  }
  readonly seat: { readonly type: string; readonly row: string | null; readonly number: number | null }
  /** The name that the buyer gave for this ticket. */
  readonly holder: string | null
  readonly checkedInAt: string | null
  /** The wallets for which this server has keys. */
  readonly wallets: readonly Wallet[]
}

type Wallet = 'apple' | 'google'

/** Whether its holder may give it away, and to whom it was offered; null where the page does not offer that. */
export interface Giving {
  readonly email: string | null
  /** Null: there is no end. */
  readonly until: Date | null
  readonly isOver: boolean
}

/** An e-ticket: what the door needs, as large as it can be, on screen and on paper. */
export function eticketPage(language: Language, facts: EticketFacts, giving: Giving | null): Page {
  const words = WORDS[language].buy
  return {
    title: `${words.eticket} · ${facts.event.name}`,
    entry: 'shop',
    styles: ['shop'],
    body: html`${eticketArticle(language, facts, 'h1')}
<p class="actions no-print"><button data-print hidden>${icon('print')}${words.print}</button> <a href="/reservations">${words.mine}</a></p>
${
  giving === null || facts.status !== 'VALID'
    ? null
    : html`<section class="narrow no-print"><h2>${WORDS[language].after.giveTitle}</h2>
${giveForm(language, facts, giving)}</section>`
}`,
  }
}

/** One e-ticket on a page that may have several. */
export function eticketArticle(
  language: Language,
  { id, status, drawing, shortCode, event, seat, holder, checkedInAt, wallets }: EticketFacts,
  heading: 'h1' | 'h2',
): Html {
  const words = WORDS[language].buy
  const [usedBefore = '', usedAfter = ''] = words.used.split('{time}')
  const name = heading === 'h1' ? html`<h1>${event.name}</h1>` : html`<h2>${event.name}</h2>`
  return html`<article class="eticket ${status.toLowerCase()}">
<header><p class="label">${words.eticket}</p>${name}
<p class="lead">${event.startsAt === null ? null : timeTag(language, new Date(event.startsAt), event.timeZone, 'full')}</p><p class="quiet">${event.location}</p></header>
<dl class="seat"><div><dt class="label">${WORDS[language].event.category}</dt><dd>${seat.type}</dd></div>
${seat.row === null ? null : html`<div><dt class="label">${words.row}</dt><dd>${seat.row}</dd></div><div><dt class="label">${words.seat}</dt><dd>${seat.number}</dd></div>`}${holder === null ? null : html`<div><dt class="label">${WORDS[language].ask.holder}</dt><dd>${holder}</dd></div>`}</dl>
${drawing === null ? html`<p class="notice bad">${words.void}</p>` : html`<div class="qr">${trustedHtml(drawing)}</div>`}
${shortCode === null ? null : html`<p class="lead number">${WORDS[language].door.code} ${spellShortCode(shortCode)}</p>`}
${status === 'USED' && checkedInAt !== null ? html`<p class="notice">${usedBefore}${timeTag(language, new Date(checkedInAt), event.timeZone)}${usedAfter}</p>` : null}
${status === 'VALID' ? html`<p>${words.atTheDoor}</p>` : null}
${walletLinks(language, { id, status, wallets })}
<p class="quiet small number">${words.number} ${id}</p>
</article>`
}

const WALLET_PATHS = { apple: 'apple.pkpass', google: 'google' } as const

/** Of a valid e-ticket, for the wallets of telephones. */
export function walletLinks(
  language: Language,
  { id, status, wallets }: Pick<EticketFacts, 'id' | 'status' | 'wallets'>,
): Html | null {
  if (status !== 'VALID' || wallets.length === 0) return null
  const words = WORDS[language].buy.wallets
  const links = wallets.map(
    (wallet) => html`<a class="button" href="/api/etickets/${id}/${WALLET_PATHS[wallet]}">${words[wallet]}</a> `,
  )
  return html`<p class="actions no-print">${links}</p>`
}

/** Offers an e-ticket to an address and withdraws that, or says that the time for it is over. */
export function giveForm(
  language: Language,
  { id, event }: Pick<EticketFacts, 'id' | 'event'>,
  { email, until, isOver }: Giving,
): Html {
  const words = WORDS[language].after
  if (isOver) return html`<p class="quiet">${words.closedLead}</p>`
  const open =
    email === null
      ? null
      : html`<p class="notice" role="status">${say(language, words.offeredTo, { email })}</p>
<form method="post" action="/etickets/${id}/withdraw" data-once><button class="plain">${words.withdraw}</button></form>`
  const [before = '', after = ''] = words.giveUntil.split('{until}')
  const end = until === null ? null : html` ${before}${timeTag(language, until, event.timeZone)}${after}`
  return html`${open}
<form method="post" action="/etickets/${id}/transfer" class="stack" data-once>
<p id="give-${id}">${words.giveLead}${end}</p>
<label class="field">${words.giveEmail}<input name="email" type="email" required maxlength="254" autocomplete="off" aria-describedby="give-${id}"></label>
<button>${words.give}</button>
</form>`
}
