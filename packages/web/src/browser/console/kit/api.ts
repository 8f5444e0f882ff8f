import { tell, words } from './page.ts'

/** The server refused, in its own words and with its code. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Calls the API as the signed-in operator; a text is sent as CSV. Leads to the page that asks for it when the session is over or not enough. */
export async function call<Answer>(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: object | string,
  signal?: AbortSignal,
): Promise<Answer> {
  const sent = body === undefined ? {} : writeBody(body)
  const answer = await fetch(path, { method, ...sent, ...(signal === undefined ? {} : { signal }) }).catch(() => {
    throw new Refused('OFFLINE', words.errors.offline)
  })
  // An answer without content is one that its caller does not read.
  if (answer.status === 204) return undefined as Answer
  if (answer.ok) return (await answer.json()) as Answer
  const error = (await answer.json().catch(() => ({}))) as { code?: string; message?: string }
  const asking = answer.status === 401 ? '/sign-in' : ASKING_PAGES[error.code ?? '']
  if (asking !== undefined) leaveFor(asking)
  throw new Refused(error.code ?? 'UNKNOWN', error.message ?? String(answer.status), error as Record<string, unknown>)
}

function writeBody(body: object | string): RequestInit {
  if (typeof body === 'string') return { headers: { 'content-type': 'text/csv' }, body }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** What is missing is asked for on a page of its own, which leads back to this one. */
const ASKING_PAGES: Readonly<Record<string, string>> = {
  FRESH_SIGN_IN_NEEDED: '/sign-in/again',
  STRONG_SIGN_IN_NEEDED: '/sign-in/strong',
}

function leaveFor(page: string): void {
  location.assign(`${page}?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`)
}

/** What went wrong, in the reader's language where we have words for it. */
export function explain(error: unknown): string {
  if (!(error instanceof Refused)) return tell(words.errors.failed, { message: String(error) })
  const known: Readonly<Record<string, string>> = words.errors
  if (error.code === 'OFFLINE') return words.errors.offline
  return tell(known[error.code] ?? words.errors.failed, { message: error.message })
}
