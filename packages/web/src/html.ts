/** Text that is HTML already. Only `html` and `trustedHtml` make it, so that nothing else reaches a page unescaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** What may stand between `${` and `}`: nothing, text, a number, HTML, or a list of these. */
export type Fillable = Html | string | number | null | undefined | false | readonly Fillable[]

/** Builds HTML. Whatever is filled in is escaped unless it is HTML itself; nothing, null and false leave no trace. */
export function html(parts: TemplateStringsArray, ...values: readonly Fillable[]): Html {
  let text = parts[0] ?? ''
  for (let index = 0; index < values.length; index += 1) text += fill(values[index]) + (parts[index + 1] ?? '')
  return new Html(text)
}

/** For markup that was made elsewhere and is known to contain no user's text, such as the drawing of a QR code. */
export function trustedHtml(text: string): Html {
  return new Html(text)
}

/** Data for a script of ours. Not run by the browser, hence no inline script; `<` is written so that it ends nothing. */
export function dataBlock(id: string, value: unknown, type = 'application/json'): Html {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c')
  return new Html(`<script type="${escapeText(type)}" id="${escapeText(id)}">${json}</script>`)
}

function fill(value: Fillable): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  return value.map(fill).join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
