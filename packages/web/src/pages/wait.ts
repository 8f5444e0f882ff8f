import type { PlaceState } from '@seatwise/client'
import type { Host, SaleEvent } from '@seatwise/domain'
import type { Accent } from '../accent.ts'
import { type Html, html, trustedHtml } from '../html.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { groupCode } from '../views/group-code.ts'
import { DRAWING, drawLine } from '../views/line-drawing.ts'
import type { WaitAction } from '../views/wait-actions.ts'
import { waitPageAgain } from '../views/wait-actions.ts'
import { describeWait, type Outside, type WaitFacts, type WaitView } from '../views/wait-view.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { type AppliedCode, type CodeVerdict, codeField } from './code-field.ts'
import { shortTimeTag } from './time-tag.ts'
import { type TogetherFacts, together } from './together.ts'
import { lobby } from './window/lobby.ts'

/** How an organiser's waiting page looks and what it says beside ours. */
export interface Brand {
  readonly accent: Accent | null
  /** An https address of a picture. */
  readonly logo: string | null
  readonly text: string | null
}

/** Whether a mail will say that it is the visitor's turn; `problem` when the address was refused. */
export interface TurnMail {
  readonly isAsked: boolean
  readonly problem: 'turnWrong' | 'turnMany' | null
}

export interface HandOver {
  /** As it is typed. */
  readonly code: string
  /** Where it is typed, and the same with the code behind the `#`. */
  readonly page: string
  readonly link: string
  /** The link as a QR code. */
  readonly drawing: string
}

export interface WaitPageFacts {
  readonly facts: WaitFacts
  readonly place: PlaceState | Outside
  readonly brand: Brand
  /** The organization whose event it is; left out in a room without one. */
  readonly host?: Host
  /** Null in a room without one. */
  readonly event: SaleEvent | null
  /** What takes the place to another device, for those without a script. */
  readonly handOver: HandOver | null
  readonly notice: string | null
  /** For a visitor in line; null where no mail is sent. */
  readonly turnMail: TurnMail | null
  /** Without an account as yet: signing in keeps the place. */
  readonly isGuest: boolean
  /** Standing together with others; null for a visitor who does not wait, and in a room without groups. */
  readonly together?: TogetherFacts | null
  /** The visitor's code; null in a room without an event, which has none. */
  readonly code: { readonly applied: AppliedCode | null; readonly verdict: CodeVerdict | null } | null
  readonly now: number
}

/** The page on which people wait. Complete as it comes: the script only keeps it up to date. */
export function waitPage(shown: WaitPageFacts): Page {
  const { facts, place, brand, host, event, handOver, notice, turnMail, isGuest, code, now } = shown
  const { together: group = null } = shown
  const view = describeWait(facts, place, now)
  const words = WORDS[facts.language].wait
  const isLive = place.status === 'waiting' || place.status === 'admitted' || place.status === 'active'
  return {
    title: titleOf(view, facts.name),
    ...(host === undefined ? {} : { host }),
    accent: brand.accent,
    lettersLater: true,
    entry: 'wait',
    listens: true,
    styles: ['wait'],
    frame: 'task',
    banner: banner(facts, brand, event),
    data: { facts: place.status === 'outside' ? facts : withoutOutside(facts, view), place },
    ...(isLive ? { refreshSeconds: refreshSeconds(place) } : {}),
    // Such a page may be the answer to the form that joins.
    ...(place.status === 'outside' && place.wait !== undefined
      ? { refreshSeconds: place.wait.seconds + 1, refreshPath: waitedPath(facts, place.wait.token) }
      : {}),
    ...(view.state === 'full' || view.state === 'rush' || view.state === 'device'
      ? { refreshSeconds: refreshSeconds(place), refreshPath: waitPageAgain(facts) }
      : {}),
    body: html`<div id="wait">${waitBody(facts, view)}</div>
${place.status === 'outside' && place.wait !== undefined ? waitForm(facts, place.wait.token) : null}
${place.status === 'outside' && place.why === 'invited' ? invitationForm(facts) : null}
${notice === null ? null : html`<p class="notice" role="status">${notice}</p>`}
${handOver === null ? null : phone(words, handOver)}
${turnMail === null || place.status !== 'waiting' ? null : turnMailForm(facts, turnMail)}
${group === null ? null : together(facts, group)}
${code === null ? null : waitCode(facts, code, isLive)}
${isGuest && place.status === 'waiting' ? signIn(facts) : null}
${event !== null && LOBBY_STATES.has(view.state) ? lobby(facts.language, event) : null}
${brand.text === null ? null : html`<section class="brand-text">${brand.text.split(/\n{2,}/).map((part) => html`<p class="prose">${part}</p>`)}</section>`}
${isLive ? html`<noscript><p class="quiet small">${words.refreshes}</p></noscript>` : null}`,
  }
}

/**
 * A visitor in line cannot come to stand outside without loading the page again, nor to stand before the opening: these words
 * would only weigh.
 */
function withoutOutside({ words, ...facts }: WaitFacts, { state }: WaitView): object {
  const isBefore = state === 'pre' || state === 'drawing'
  const isNeeded = (name: string): boolean => !OUTSIDE.test(name) && (isBefore || !BEFORE.test(name))
  const needed = Object.entries(words).filter(([name]) => isNeeded(name))
  return { ...facts, words: Object.fromEntries(needed) }
}

const OUTSIDE = /^(device|invit|verified|askOrganiser|proof|guests|full|rush|signInTo|before(?!When))/
const BEFORE = /^(beforeWhen|check|draw|pre[A-Z])/

/** Only for browsers without a script: the page joins by itself when the wait is over, or by this button. */
function waitForm(facts: WaitFacts, token: string): Html {
  const { words } = facts
  const action = joinPath(facts)
  return html`<noscript><form method="post" action="${action}"><input type="hidden" name="waited" value="${token}"><button class="main">${words.proofJoin}</button></form></noscript>`
}

/** Sends the code with the joining, so that it is used by the visitor who gets the ticket. */
function invitationForm(facts: WaitFacts): Html {
  const { words } = facts
  return html`<form method="post" action="${joinPath(facts)}" class="stack narrow"><label class="field">${words.invitationLabel}<input name="invitation" type="text" maxlength="40" required autocomplete="off" autocapitalize="characters" spellcheck="false"></label><button class="main">${words.join}</button></form>`
}

function joinPath({ to, ...facts }: WaitFacts): string {
  const query = to === null ? '' : `?to=${encodeURIComponent(to)}`
  return `${waitPageAgain({ ...facts, to: null })}/join${query}`
}

function waitedPath(facts: WaitFacts, token: string): string {
  const path = waitPageAgain(facts)
  return `${path}${path.includes('?') ? '&' : '?'}waited=${encodeURIComponent(token)}`
}

function waitCode(facts: WaitFacts, code: NonNullable<WaitPageFacts['code']>, isInLine: boolean): Html {
  const field = { action: `/events/${facts.id}/code`, next: `/events/${facts.id}/wait`, isInLine }
  return codeField(facts.language, { ...field, ...code })
}

/** The position comes first, so that a narrow tab shows it. */
function titleOf({ number, headline }: WaitView, name: string): string {
  return number === null ? `${headline} · ${name}` : `${number} · ${name}`
}

function refreshSeconds(place: PlaceState | Outside): number {
  if (place.status === 'outside') return place.why === 'device' ? 30 : (place.retrySeconds ?? 5)
  return place.status === 'waiting' && place.position > 50 ? 15 : 5
}

function signIn(facts: WaitFacts): Html {
  const words = WORDS[facts.language]
  const next = encodeURIComponent(waitPageAgain(facts))
  return html`<p class="quiet"><a href="/sign-in?next=${next}">${words.site.signIn}</a> · ${words.signIn.lead}</p>`
}

/** A plain form, folded away: most visitors keep the page open. Its words are not among those of the script. */
function turnMailForm(facts: WaitFacts, { isAsked, problem }: TurnMail): Html {
  const words = WORDS[facts.language].mail
  if (isAsked && problem === null) return html`<p class="notice" role="status">${words.turnAsked}</p>`
  const { to, ...here } = facts
  const action = `${waitPageAgain({ ...here, to: null })}/mail${to === null ? '' : `?to=${encodeURIComponent(to)}`}`
  return html`<details class="code-field"${problem === null ? null : trustedHtml(' open')}><summary>${words.turnAsk}</summary>
${problem === null ? null : html`<p class="notice bad" role="alert">${words[problem]}</p>`}
<form method="post" action="${action}" class="stack"><p class="hint">${words.turnLead}</p>
<label class="field">${words.turnAddress}<input name="email" type="email" autocomplete="email" maxlength="254" required></label>
<button>${words.turnDo}</button></form></details>`
}

/** There is time to read before a sale opens; later the line is what counts. */
const LOBBY_STATES: ReadonlySet<string> = new Set(['before', 'pre'])

/** What the visitor waits for, by its name and day. */
function banner({ name, language }: WaitFacts, { logo }: Brand, event: SaleEvent | null): Html {
  const { startsAt = null, timeZone = 'UTC' } = event ?? {}
  const when = startsAt === null ? null : html`<span class="when">${shortTimeTag(language, startsAt, timeZone)}</span>`
  return html`<p class="banner">${logo === null ? null : html`<img src="${logo}" alt="" height="32" referrerpolicy="no-referrer">`}<span><b>${name}</b>${when}</span></p>`
}

/** The same as `browser/wait/wait-screen.tsx` draws; the script takes over from here without a flicker. */
function waitBody(facts: WaitFacts, view: WaitView): Html {
  return html`<div class="wait" data-state="${view.state}">
<div class="wait-head">
${view.label === null ? null : html`<p class="label">${view.label}</p>`}
<h1>${view.headline}</h1>
${view.number === null ? null : html`<p class="figures"><span class="position number">${view.number}</span> <span class="range">${view.range}</span></p>`}
${view.ring === null ? null : html`<p class="ring"><span class="number">${view.ring.seconds}</span></p>`}
</div>
${view.trouble === null ? null : html`<p class="notice bad">${view.trouble}</p>`}
${view.reason === null ? null : html`<p class="notice">${view.reason}</p>`}
${view.message === null ? null : html`<p class="notice message"><span class="label">${facts.words.fromOrganiser}</span>${view.message}</p>`}
${view.line === null ? null : line(facts, view.line)}
<dl class="answers">${view.answers.map(({ label, text }) => html`<div><dt class="label">${label}</dt><dd>${text}</dd></div>`)}</dl>
${view.viewers === null ? null : html`<p class="quiet small">${icon('eye')} ${view.viewers}</p>`}
<div class="actions">${view.actions.map(action)}</div>
</div>`
}

function line({ language, words }: WaitFacts, { position, waiting }: { position: number; waiting: number }): Html {
  const { dots, peoplePerDot } = drawLine(position, waiting)
  const you = dots.find(({ who }) => who === 'you')
  const circles = dots.map(
    ({ x, y, who }) => `<circle class="${who}" cx="${x}" cy="${y}" r="${who === 'you' ? 11 : 7}"/>`,
  )
  return html`<figure class="line"><svg viewBox="0 0 ${DRAWING.width} ${DRAWING.height}" aria-hidden="true">
<path class="door" d="M18 118V26h34v92M8 118h56M43 74v4"/>${trustedHtml(circles.join(''))}
<text class="you" x="${you?.x ?? 0}" y="${(you?.y ?? 0) + 38}">${words.you}</text></svg>
<figcaption class="quiet small">${say(language, words.dotStands, { count: peoplePerDot })}</figcaption></figure>`
}

function action({ name, label, isMain, href, post, icon: iconName }: WaitAction): Html | null {
  const style = isMain ? 'button main' : 'button'
  if (href !== undefined) return html`<a class="${style}" href="${href}">${icon(iconName)}${label}</a>`
  if (post === undefined) return null
  return html`<form method="post" action="${post}" data-action="${name}"><button class="${isMain ? 'main' : ''}">${icon(iconName)}${label}</button></form>`
}

function phone(words: WaitFacts['words'], { code, page, link, drawing }: HandOver): Html {
  return html`<section class="sheet phone"><h2>${words.phoneTitle}</h2><div class="qr">${trustedHtml(drawing)}</div>
<p>${words.phoneHow}</p>
<dl class="answers"><div><dt class="label">${words.phoneCode}</dt><dd class="number">${groupCode(code)}</dd></div>
<div><dt class="label">${words.phonePage}</dt><dd><a href="${link}">${page}</a></dd></div></dl>
<p class="quiet">${words.phoneUntil}</p></section>`
}
