import type { Answer, GuardRequest } from './adapters/request.ts'

/** Why a visitor is not let in. `docs/guard.md` explains each code. */
const REFUSALS = {
  PASS_REQUIRED: { status: 401, error: 'Unauthorized', message: 'Wait for your turn at the waiting page' },
  PASS_ENDED: { status: 403, error: 'Forbidden', message: 'Your time here is over; wait for your turn again' },
  BAD_PASS: { status: 403, error: 'Forbidden', message: 'This pass does not let you in here' },
  METHOD_NOT_ALLOWED: { status: 405, error: 'Method Not Allowed', message: 'This address takes only POST' },
  ROOM_UNREACHABLE: {
    status: 503,
    error: 'Service Unavailable',
    message: 'The waiting room cannot be reached at the moment; try again soon',
  },
} as const satisfies Record<string, { status: number; error: string; message: string }>

export type Refusal = keyof typeof REFUSALS

const RETRY_AFTER_SECONDS = '5'
const NO_STORE = ['cache-control', 'no-store'] as const

export function redirect(location: string, cookie: string | null): Answer {
  const headers = [NO_STORE, ['location', location] as const]
  return { status: 303, headers: [...headers, ...setCookie(cookie)], body: '' }
}

/** For programs: in the form of all errors of Seatwise, with the way to the waiting page. */
export function refuse(
  code: Refusal,
  request: GuardRequest,
  { waitingPage, cookie, nowMs }: { waitingPage: string; cookie: string | null; nowMs: number },
): Answer {
  const { status, error, message } = REFUSALS[code]
  const facts = { statusCode: status, error, code, message, timestamp: new Date(nowMs).toISOString() }
  const retry = status === 503 ? [['retry-after', RETRY_AFTER_SECONDS] as const] : []
  const allow = status === 405 ? [['allow', 'POST'] as const] : []
  const common = [NO_STORE, ...retry, ...allow, ...setCookie(cookie)]
  if (wantsPage(request) || isForm(request)) {
    const policy = ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"] as const
    const headers = [['content-type', 'text/html; charset=utf-8'] as const, policy, ...common]
    return { status, headers, body: page(message, waitingPage) }
  }
  const headers = [['content-type', 'application/json; charset=utf-8'] as const, ...common]
  return { status, headers, body: JSON.stringify({ ...facts, path: request.url.slice(0, 2_048), waitingPage }) }
}

/** Whether the request is a page view, which can be redirected; anything else is a program. */
export function wantsPage({ method, accept, fetchMode }: GuardRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return fetchMode === undefined ? (accept?.includes('text/html') ?? false) : fetchMode === 'navigate'
}

function isForm({ method, accept }: GuardRequest): boolean {
  return method === 'POST' && (accept?.includes('text/html') ?? false)
}

function setCookie(cookie: string | null): (readonly [string, string])[] {
  return cookie === null ? [] : [['set-cookie', cookie]]
}

/** The only thing in it that is not ours is an address that we built. */
function page(message: string, waitingPage: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message}</title></head>
<body><p>${message}.</p><p><a href="${waitingPage.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">To the waiting page</a></p></body>
</html>
`
}
