import { createHash } from 'node:crypto'
import { spellShortCode } from '@seatwise/domain'
import { renderSVG } from 'uqr'
import { escapeHtml, formatInstant } from '../../kit/index.ts'
import type { EticketView } from './describe-eticket.ts'

const STYLE = `
  body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 40rem; padding: 1rem; color: #111 }
  article { border: 1px solid #999; border-radius: .5rem; padding: 1.5rem; margin: 0 0 1rem; break-inside: avoid }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem }
  svg { display: block; width: 16rem; height: 16rem; margin: 1rem 0 0 }
  .void { text-decoration: line-through }
  small { color: #555; overflow-wrap: anywhere }
`

/** The page carries its own style and nothing else: no script, no picture from elsewhere. */
export const PRINTABLE_PAGE_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** E-tickets to print or to show at the door, one below the other. */
export function renderPrintablePage(etickets: readonly EticketView[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(etickets[0]?.event.name ?? 'E-tickets')}</title>
<style>${STYLE}</style>
</head>
<body>
${etickets.map(renderEticket).join('\n')}
</body>
</html>
`
}

/** Level M keeps a code readable after one fold; scanners need the border. */
function renderQrCode(code: string): string {
  return renderSVG(code, { ecc: 'M', border: 4, pixelSize: 4 })
}

function renderEticket({ id, event, seat, holder, status, code, shortCode }: EticketView): string {
  const picture = code === null ? '' : renderQrCode(code)
  const typed = shortCode === null ? '' : `<p>Code: <strong>${escapeHtml(spellShortCode(shortCode))}</strong></p>`
  return `<article>
<h1${status === 'VOID' ? ' class="void"' : ''}>${escapeHtml(event.name)}</h1>
<p>${[event.startsAt === null ? '' : formatInstant(new Date(event.startsAt), event.timeZone), event.location]
    .filter((text) => text !== '')
    .map(escapeHtml)
    .join('<br>')}</p>
<p><strong>${escapeHtml(nameSeat(seat))}</strong></p>
${holder === null ? '' : `<p>${escapeHtml(holder)}</p>\n`}<p>${STATUS[status]}</p>
${picture}
${typed}
<small>${escapeHtml(id)}</small>
</article>`
}

const STATUS = {
  VALID: 'Show this code at the door.',
  USED: 'This e-ticket was used.',
  VOID: 'This e-ticket is void.',
} as const satisfies Record<EticketView['status'], string>

/** As printed on a ticket: "Stalls, row A, seat 7". */
function nameSeat({ type, row, number }: EticketView['seat']): string {
  return row === null ? type : `${type}, row ${row}, seat ${number}`
}
