import { escapeHtml } from './escape-html.ts'

/** A page that needs nothing but itself: no script, no font, no picture from anywhere. Light and dark. */
export function page(title: string, body: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    // An empty picture, so that no browser asks for one.
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>`,
    ...body,
    '</main></body></html>\n',
  ].join('\n')
}

/** Rows of plain texts under their headings. */
export function table(caption: string, headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'td' | 'th', texts: readonly string[]): string =>
    texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')
  const head = headings.length === 0 ? '' : `<thead><tr>${cells('th', headings)}</tr></thead>`
  const lines = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')
  return `<div class="table"><table><caption>${escapeHtml(caption)}</caption>${head}<tbody>${lines}</tbody></table></div>`
}

const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf8; --ink: #1d1d22; --quiet: #5f5f6b; --line: #dcdae0; --card: #fff;
  --c0: #2456c8; --c1: #b4480f; --c2: #16794a; --good: #16794a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #15151a; --ink: #eceaf2; --quiet: #a3a1b0; --line: #34333d;
  --card: #1e1e25; --c0: #8fb0ff; --c1: #ffb38a; --c2: #7fd6a8; --good: #7fd6a8; --bad: #ff8d84; } }
* { box-sizing: border-box } body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif } main { max-width: 84rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem } p { margin: .25rem 0 }
.quiet { color: var(--quiet) } .verdict { border: 2px solid; border-radius: .75rem; padding: 1rem 1.25rem; margin: 1.25rem 0;
  background: var(--card) } .verdict strong { font-size: 1.5rem } .go { border-color: var(--good) } .go strong { color: var(--good) }
.no-go { border-color: var(--bad) } .no-go strong { color: var(--bad) } .verdict ul { margin: .25rem 0 0; padding-left: 1.25rem }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 0 }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem }
.figures dt { color: var(--quiet); font-size: .85rem } .figures dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .75rem }
figcaption { font-weight: 600; font-size: .95rem } svg { width: 100%; height: auto; display: block }
.curve { fill: none; stroke-width: 2; stroke-linejoin: round } .curve-0 { stroke: var(--c0) } .curve-1 { stroke: var(--c1); stroke-dasharray: 7 3 }
.curve-2 { stroke: var(--c2); stroke-dasharray: 2 3 } .grid { stroke: var(--line) } .limit { stroke: var(--bad); stroke-dasharray: 4 4 }
.scale { fill: var(--quiet); font-size: 11px } .key { font-weight: 400; font-size: .85rem; margin-left: .75rem }
.key::before { content: '━ ' } .key-0 { color: var(--c0) } .key-1 { color: var(--c1) } .key-2 { color: var(--c2) }
.table { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .5rem 0 } th, td { text-align: left; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top } th { color: var(--quiet); font-weight: 500; font-size: .85rem }
.held { color: var(--good) } .violated { color: var(--bad); font-weight: 600 } .vacuous { color: var(--quiet) }
code { font-size: .85em; overflow-wrap: anywhere } .better { color: var(--good) } .worse { color: var(--bad) }
`
