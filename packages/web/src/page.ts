import { createHash } from 'node:crypto'
import { type Host, isNamed } from '@seatwise/domain'
import { type Accent, accentFrom, accentStyle } from './accent.ts'
import type { Assets } from './assets.ts'
import { siteFooter, siteHeader, taskHeader } from './frame.ts'
import { dataBlock, type Html, html, trustedHtml } from './html.ts'
import type { Language } from './language.ts'
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
  /** Style sheets beside `site` and `letters`. */
  readonly styles?: readonly string[]
  /** The script loads the letters once the page stands: see `browser/letters.ts`. */
  readonly lettersLater?: boolean
  /** The organization whose page it is: its name leads. The site's own where it is left out. */
  readonly host?: Host
  /** Instead of the colour of that organization. */
  readonly accent?: Accent | null
  readonly preview?: Preview
  /** What its script asks for first: it comes beside the script instead of after it. */
  readonly preload?: string
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

/** What other sites and searches say of a page. */
export interface Preview {
  readonly description: string
  /** All addresses here are whole: the readers are elsewhere. */
  readonly url: string
  readonly image: { readonly url: string; readonly width: number; readonly height: number; readonly alt: string } | null
  /** The same for programs, in the words of schema.org. */
  readonly facts: object
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
  /** The organization whose site this is; null while it is not known. */
  readonly house: Host | null
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
  const host = page.host ?? viewer.house
  const style = styleOf(page, host)
  const text = html`<!doctype html>
<html lang="${viewer.language}"${faceOf(page, host)}${lettersOf(assets, page)}${listeningOf(assets, viewer, page)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${host === null || !isNamed(host) ? words.site.events : host.name}</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
${stylesOf(assets, page)}
${page.preload === undefined ? null : html`<link rel="preload" as="fetch" crossorigin href="${page.preload}">`}
${page.preview === undefined ? null : previewOf(page.preview, page.title, host)}
${style === null ? null : html`<style>${trustedHtml(style)}</style>`}
${page.refreshSeconds === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${refreshOf(page)}"></noscript>`}
${page.leadsTo === undefined ? null : html`<meta http-equiv="refresh" content="0; url=${page.leadsTo}">`}
</head>
<body>
<a class="skip" href="#content">${words.site.skip}</a>
${page.frame === 'task' ? taskHeader(words, viewer, page) : siteHeader(words, viewer, page)}
<main id="content" tabindex="-1">
${noticesOf(words, viewer)}
${page.body}
</main>
${siteFooter(words, viewer)}
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

/** The script is a block of data: browsers run nothing of it, and the content policy stays as it is. */
function previewOf({ description, url, image, facts }: Preview, title: string, host: Host | null): Html {
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
${host === null || !isNamed(host) ? null : html`<meta property="og:site_name" content="${host.name}">`}
${
  image === null
    ? null
    : html`<meta property="og:image" content="${image.url}">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
<meta property="og:image:alt" content="${image.alt}">
<meta name="twitter:card" content="summary_large_image">`
}
${dataBlock('facts', facts, 'application/ld+json')}`
}

/** The console has the same look for every organization: what its colours mean is part of it. */
const isConsole = ({ styles }: Page): boolean => styles?.includes('console') === true

function styleOf(page: Page, host: Host | null): string | null {
  if (isConsole(page)) return null
  const ofHost = host?.colour ? accentFrom(host.colour) : null
  const accent = page.accent ?? ofHost
  return accent === null ? null : accentStyle(accent)
}

function faceOf(page: Page, host: Host | null): Html | null {
  return host === null || isConsole(page) ? null : html` data-face="${host.face}"`
}

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

function stylesOf(assets: Assets | null, { styles = [], lettersLater }: Page): Html[] {
  const linksTo = (names: readonly string[]): Html[] =>
    names.flatMap((name) => assets?.style(name) ?? []).map((to) => html`<link rel="stylesheet" href="${to}">\n`)
  const letters = linksTo(['letters'])
  return [
    ...(lettersLater === true ? [html`<noscript>${letters}</noscript>`] : letters),
    ...linksTo(['site', ...styles]),
  ]
}

/** Where the script of the page finds the letters that it loads later. */
function lettersOf(assets: Assets | null, { lettersLater }: Page): Html | null {
  const [address] = lettersLater === true ? (assets?.style('letters') ?? []) : []
  return address === undefined ? null : html` data-letters="${address}"`
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
