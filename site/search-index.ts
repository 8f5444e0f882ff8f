import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS, type Section } from './browser/search-options.ts'
import { plainText, type RenderedPage } from './render-page.ts'

/** One entry for each heading, so that a hit leads to where the words are. The browser loads it when a reader searches. */
export function searchIndex(pages: readonly RenderedPage[]): unknown {
  const index = new MiniSearch<Section>(SEARCH_OPTIONS)
  index.addAll(pages.flatMap(sectionsOf))
  return index.toJSON()
}

function sectionsOf(page: RenderedPage): Section[] {
  const [lead = '', ...parts] = page.html.split(/(?=<h[1-4] id=")/)
  const sections = lead.startsWith('<h') ? [lead, ...parts] : parts
  return sections.map((html) => {
    const [, id = '', heading = ''] = /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(html) ?? []
    const text = plainText(html.replace(/^<h\d[\s\S]*?<\/h\d>/, '')).replace(/\s+/g, ' ')
    const title = plainText(heading)
    return {
      id: `${page.address}#${id}`,
      title,
      page: title === page.title ? '' : page.title,
      text,
      excerpt: text.slice(0, 160),
    }
  })
}
