import { createHash } from 'node:crypto'
import { type Accent, accentStyle } from './accent.ts'
import type { Assets } from './assets.ts'
import { dataBlock, type Html, html, trustedHtml } from './html.ts'
import { icon } from './icons.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from './language.ts'
import { WORDS } from './words/index.ts'
import { say } from './words/say.ts'
import type { Words } from './words/words.ts'

/** What one page has of its own. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** The script that makes it move, by the name of its file in `browser/entries`. */
  readonly entry?: string
  /** That script listens to push messages. */
  readonly listens?: boolean
  /** What that script needs to know; goes into the page, so that it need not ask. */
  readonly data?: unknown
  /** Style sheets beside `site`. */
  readonly styles?: readonly string[]
  readonly accent?: Accent | null
  /** Without JavaScript the page asks for itself again after this time. */
  readonly refreshSeconds?: number
  /** The path that it then asks for, where its own is that of a form; its own otherwise. */
  readonly refreshPath?: string
  /** The page leads on to this address at once, and leaves no entry in the browser's history. */
  readonly leadsTo?: string
  /** A page for one task has no menu that leads away from it. */
  readonly frame?: 'site' | 'task'
  /** What stands beside the name of a task: the sale it belongs to. */
  readonly banner?: Html
}

/** Who looks at a page, and where. */
export interface Viewer {
  readonly language: Language
  /** Null for those who did not sign in; guests have no name. */
  readonly person: { readonly name: string | null; readonly isStaff: boolean } | null
  /** The path and query of the page, to come back to it. */
  readonly path: string
  /** Reservations that were cancelled when the buyer signed in, and that they do not know of yet. */
  readonly canceled: readonly CanceledSeats[]
  /** The page shows a copy that may be minutes old, because the ledger is away. */
  readonly isStale: boolean
  /** Where push messages come from. */
  readonly realtime: 'builtin' | 'ably'
}

export interface CanceledSeats {
  readonly eventName: string
  /** How many seats the reservation had. */
  readonly count: number
}

/** A page as it is sent, and the policy source that allows the one style it carries. */
export interface RenderedPage {
  readonly text: string
  readonly styleSources: readonly string[]
}

function refreshOf({ refreshSeconds, refreshPath }: Page): string {
  return refreshPath === undefined ? String(refreshSeconds) : `${refreshSeconds}; url=${refreshPath}`
}

/** Puts a page into the frame that all pages share. */
export function renderPage(assets: Assets | null, viewer: Viewer, page: Page): RenderedPage {
  const words = WORDS[viewer.language]
  const style = page.accent ? accentStyle(page.accent) : null
  const text = html`<!doctype html>
<html lang="${viewer.language}"${listeningOf(assets, viewer, page)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${words.site.name}</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
${stylesOf(assets, page)}
${style === null ? null : html`<style>${trustedHtml(style)}</style>`}
${page.refreshSeconds === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${refreshOf(page)}"></noscript>`}
${page.leadsTo === undefined ? null : html`<meta http-equiv="refresh" content="0; url=${page.leadsTo}">`}
</head>
<body>
<a class="skip" href="#content">${words.site.skip}</a>
${page.frame === 'task' ? taskHeader(words, viewer, page) : siteHeader(words, viewer)}
<main id="content" tabindex="-1">
${noticesOf(words, viewer)}
${page.body}
</main>
${footer(words, viewer)}
${page.data === undefined ? null : dataBlock('page-data', page.data)}
${scriptsOf(assets, page)}
</body>
</html>
`.text
  return { text, styleSources: style === null ? [] : [hashOf(style)] }
}

/** The script of the page loads this one in order to listen: only where the server uses Ably. */
function listeningOf(assets: Assets | null, { realtime }: Viewer, { listens }: Page): Html | null {
  const [script] = listens === true && realtime === 'ably' ? (assets?.scripts('through-ably') ?? []) : []
  return script === undefined ? null : html` data-ably="${script}"`
}

/** A small ticket in the colour of the house. */
const ICON = encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='#8a2b36' d='M2 6h20v4a2 2 0 0 0 0 4v4H2v-4a2 2 0 0 0 0-4z'/></svg>",
)

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

function stylesOf(assets: Assets | null, { styles = [] }: Page): Html[] {
  const addresses = ['site', ...styles].flatMap((name) => assets?.style(name) ?? [])
  return addresses.map((address) => html`<link rel="stylesheet" href="${address}">\n`)
}

function scriptsOf(assets: Assets | null, { entry }: Page): Html | null {
  const [script, ...imports] = entry === undefined ? [] : (assets?.scripts(entry) ?? [])
  if (script === undefined) return null
  return html`${imports.map((address) => html`<link rel="modulepreload" href="${address}">\n`)}<script type="module" src="${script}"></script>`
}

/** Above everything that a script draws. */
function noticesOf(words: Words, { language, canceled, isStale }: Viewer): Html[] {
  const notices = canceled.map(({ eventName, count }) => {
    const sentence = say(language, words.signIn.overLimit, { count, event: eventName })
    return html`<p class="notice bad" role="status">${sentence}</p>\n`
  })
  return isStale ? [html`<p class="notice" role="status">${words.site.stale}</p>\n`, ...notices] : notices
}

function siteHeader(words: Words, { person, path }: Viewer): Html {
  const back = encodeURIComponent(path)
  return html`<header class="site-header">
<a class="wordmark" href="/">${icon('ticket')}<span>${words.site.name}</span></a>
<nav aria-label="${words.site.name}">
<a href="/">${words.site.events}</a>
<a href="/reservations">${words.site.reservations}</a>
${person?.isStaff ? html`<a href="/console">${words.site.console}</a>` : null}
${
  person === null || person.name === null
    ? html`<a href="/sign-in?next=${back}">${words.site.signIn}</a>`
    : html`<a href="/account">${words.account.link}</a>
<form method="post" action="/sign-out"><button class="plain" title="${person.name}">${words.site.signOut}</button></form>`
}
</nav>
</header>`
}

function taskHeader(words: Words, _viewer: Viewer, { banner }: Page): Html {
  return html`<header class="site-header task">
<a class="wordmark" href="/">${icon('ticket')}<span>${words.site.name}</span></a>
${banner}
</header>`
}

function footer(words: Words, { language, path }: Viewer): Html {
  const links = LANGUAGES.map((other) =>
    other === language
      ? html`<li><span aria-current="true" lang="${other}">${LANGUAGE_NAMES[other]}</span></li>`
      : html`<li><a href="${withLanguage(path, other)}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a></li>`,
  )
  return html`<footer class="site-footer">
<p>${words.site.promise}</p>
<nav aria-label="${words.site.language}"><ul class="languages">${links}</ul></nav>
</footer>`
}

function withLanguage(path: string, language: Language): string {
  const url = new URL(path, 'http://localhost')
  url.searchParams.set('lang', language)
  return `${url.pathname}${url.search}`
}
