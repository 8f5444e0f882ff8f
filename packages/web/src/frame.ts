import { type Host, isNamed } from '@seatwise/domain'
import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from './language.ts'
import type { Page, Viewer } from './page.ts'
import type { Words } from './words/words.ts'

/** What stands above every page of the shop: whose page it is, and the ways to everything else. */
export function siteHeader(words: Words, { person, path, house }: Viewer, { host }: Page): Html {
  const back = encodeURIComponent(path)
  return html`<header class="site-header">
${nameplate(words, host, house)}
<nav aria-label="${words.site.menu}">
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

/** Above a page for one task, from which no menu leads away. */
export function taskHeader(words: Words, { house }: Viewer, { host, banner }: Page): Html {
  return html`<header class="site-header task">
${nameplate(words, host, house)}
${banner}
</header>`
}

/** The organization that the page belongs to, by name and logo; it leads to its own page, that of the house to the shop. */
function nameplate(words: Words, host: Host | undefined, house: Host | null): Html {
  const shown = host ?? house
  if (shown === null || !isNamed(shown)) {
    return html`<a class="nameplate" href="/">${icon('ticket')}<span>${words.site.events}</span></a>`
  }
  const to = host === undefined ? '/' : `/o/${host.slug}`
  return html`<a class="nameplate" href="${to}">${logoOf(shown)}<span>${shown.name}</span></a>`
}

export function logoOf({ logo }: Host): Html {
  if (logo === null) return icon('ticket')
  return html`<img class="logo" src="${logo.url}" width="${logo.width}" height="${logo.height}" alt="">`
}

export function siteFooter(words: Words, { language, path }: Viewer): Html {
  const links = LANGUAGES.map((other) =>
    other === language.slice(0, 2)
      ? html`<li><span aria-current="true" lang="${other}">${LANGUAGE_NAMES[other]}</span></li>`
      : html`<li><a href="${withLanguage(path, other)}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a></li>`,
  )
  return html`<footer class="site-footer">
<p><b>${words.site.name}</b> · ${words.site.promise}</p>
<nav aria-label="${words.site.language}"><ul class="languages">${links}</ul></nav>
</footer>`
}

function withLanguage(path: string, language: Language): string {
  const url = new URL(path, 'http://localhost')
  url.searchParams.set('lang', language)
  return `${url.pathname}${url.search}`
}
