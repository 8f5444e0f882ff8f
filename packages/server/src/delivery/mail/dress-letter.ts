import { type Host, isNamed } from '@seatwise/domain'
import { accentFrom, type Language } from '@seatwise/web'
import { escapeHtml } from '../../kit/index.ts'

/** Of the house, as on pages that belong to no organization. */
const COLOUR = '#8a2b36'
const LETTERS = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** A paragraph, or lines that stay together. The same words as text and as HTML. */
export type Paragraph = string | readonly string[]

interface LetterFacts {
  readonly language: Language
  readonly subject: string
  readonly paragraphs: readonly Paragraph[]
  /** The organization that writes; null for mail of the site itself. */
  readonly host: Host | null
  readonly siteUrl: string
}

/**
 * A letter as HTML with the name and the colour of the organization. Styles stand at each element, because mail programs
 * drop style sheets; nothing is loaded from anywhere, so that opening it is told to no server.
 */
export function dressLetter({ language, subject, paragraphs, host, siteUrl }: LetterFacts): string {
  const accent = accentFrom(host?.colour ?? COLOUR) ?? accentFrom(COLOUR)
  const { light = COLOUR } = accent ?? {}
  const name = host !== null && isNamed(host) ? escapeHtml(host.name) : null
  const body = paragraphs.map((paragraph) => {
    const lines = [paragraph].flat().map((line) => linkOwn(escapeHtml(line), siteUrl, light))
    return `<p style="margin:0 0 16px">${lines.join('<br>\n')}</p>`
  })
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f8f3ea;color:#231c17;font:16px/1.5 ${LETTERS}">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-top:6px solid ${light}">
${name === null ? '' : `<p style="margin:0 0 4px;color:${light};font-weight:bold">${name}</p>\n`}<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${body.join('\n')}
</div>
</body></html>
`
}

/** Only addresses of this site become links: what an organiser or a buyer typed stays text. */
function linkOwn(line: string, siteUrl: string, colour: string): string {
  const site = escapeHtml(siteUrl)
  const at = line.indexOf(`${site}/`)
  if (at === -1) return line
  const url = /^[^\s<]+/.exec(line.slice(at))?.[0] ?? ''
  return `${line.slice(0, at)}<a href="${url}" style="color:${colour}">${url}</a>${line.slice(at + url.length)}`
}
