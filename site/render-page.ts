import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { drawDiagram } from './draw-diagram.ts'
import { escapeHtml } from './escape-html.ts'
import { highlight } from './highlight.ts'
import { titleOf } from './navigation.ts'
import { type Page, REPOSITORY, root } from './papers.ts'

export interface RenderedPage extends Page {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

/** Where a page asks for something that only the site has. */
const ISLANDS = /<!-- (calculator) -->/g

export function renderPage(page: Page, pages: readonly Page[]): RenderedPage {
  const headings: Heading[] = []
  const ids = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens)
        const text = plainText(html)
        const id = uniqueId(slugOf(text), ids)
        headings.push({ depth, id, text })
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`
      },
      code({ text, lang }: Tokens.Code): string {
        if (lang === 'mermaid') return `<figure class="diagram">${drawDiagram(text)}</figure>\n`
        return `<pre tabindex="0" data-language="${escapeHtml(lang ?? '')}"><code>${highlight(text, lang ?? '')}</code></pre>\n`
      },
      link({ href, title, tokens }: Tokens.Link): string {
        const target = escapeHtml(resolveLink(href, page, pages))
        return `<a href="${target}"${title ? ` title="${escapeHtml(title)}"` : ''}>${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        const target = posix.relative(posix.dirname(page.address), posix.join(pathInSite(page), href))
        return `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
    },
  })
  const text = page.text.replace(ISLANDS, '<div id="$1" class="island"></div>').replace(/<!--[\s\S]*?-->/g, '')
  const body = marked.parse(text, { async: false })
  const html = body
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return { ...page, title: titleOf(page.text), html, headings }
}

/** Pages of the site by their address there; anything else in the repository by its address in the forge. */
function resolveLink(href: string, page: Page, pages: readonly Page[]): string {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
  const [name = '', anchor] = href.split('#', 2)
  const path = posix.join(posix.dirname(page.path), name)
  const found = pages.find((candidate) => candidate.path === path)
  const end = anchor === undefined ? '' : `#${anchor}`
  if (found !== undefined) return posix.relative(posix.dirname(page.address), found.address) + end
  const place = join(root, path)
  if (!existsSync(place)) throw new Error(`${page.path} links to ${href}, which does not exist`)
  const repository = statSync(place).isDirectory() ? REPOSITORY.replace('/blob/', '/tree/') : REPOSITORY
  return `${repository}/${path.replace(/\/$/, '')}${end}`
}

const pathInSite = ({ path }: Page): string => posix.dirname(path).replace(/^docs\/?/, '')

/** As the forges make them, so that a link works there and here. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function uniqueId(slug: string, ids: Map<string, number>): string {
  const count = ids.get(slug) ?? 0
  ids.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

export function plainText(html: string): string {
  return html
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<a class="anchor"[\s\S]*?<\/a>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()
}
