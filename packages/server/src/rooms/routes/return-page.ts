import { createHash } from 'node:crypto'
import { escapeHtml } from '../../kit/index.ts'

const SCRIPT = 'document.forms[0].submit()'
const STYLE =
  'body{font:1.25rem/1.5 system-ui,sans-serif;margin:20vh auto;max-width:30rem;padding:1rem;text-align:center}'

/**
 * No `form-action`: browsers apply it to every redirect that follows a form, so a site that redirects its visitors to
 * another of its domains would be blocked. Nothing in the page comes from a visitor unescaped.
 */
export const RETURN_PAGE_POLICY: string = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Posts the fields to another site with a form: automatically, or by a button where scripts are off. */
export function renderEntrance(name: string, action: string, fields: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(fields).map(
    ([field, value]) => `<input type="hidden" name="${escapeHtml(field)}" value="${escapeHtml(value)}">`,
  )
  const form = `<form method="post" action="${escapeHtml(action)}">
${inputs.join('\n')}
<button>Go in</button>
</form>
<script>${SCRIPT}</script>`
  return renderPage(name, '', form)
}

/** Leads to another address. Not a redirect, because the waiting page's policy blocks forms that redirect elsewhere. */
export function renderLink(name: string, url: string): string {
  const refresh = `<meta http-equiv="refresh" content="0; url=${escapeHtml(url)}">`
  return renderPage(name, refresh, `<p><a href="${escapeHtml(url)}">Go in</a></p>`)
}

function renderPage(name: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(name)}</title>
<style>${STYLE}</style>
${head}
</head>
<body>
<p>It’s your turn.</p>
${body}
</body>
</html>
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
