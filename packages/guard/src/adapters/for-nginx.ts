import type { Guard } from '../guard.ts'
import { requestOf } from './for-fetch.ts'
import type { Answer } from './request.ts'

/** Asked by nginx before each request; answered with 204 or 401, the only words it understands. */
const CHECK_PATH = '/check'
/** nginx asks here what to answer a visitor who was not let in. */
const ANSWER_PATH = '/answer'

/**
 * A server for nginx's `auth_request`, which knows the request only from headers that nginx sets: X-Original-URI,
 * X-Original-Method and, for rules about networks, X-Original-Address. Only nginx may reach it. `docs/guard.md` has the configuration.
 */
export function forNginx(guard: Guard): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const seen = requestOf(request)
    if (pathname !== CHECK_PATH && pathname !== ANSWER_PATH) {
      // What nginx passes on as it is: the guard's own addresses.
      const verdict = await guard.check(seen)
      return verdict.kind === 'answer' ? answer(verdict.answer) : new Response(null, { status: 404 })
    }
    const url = request.headers.get('x-original-uri')
    const method = request.headers.get('x-original-method')
    if (url === null || method === null) return answer(MISCONFIGURED)
    const address = request.headers.get('x-original-address') ?? undefined
    const verdict = await guard.check({ ...seen, url, method, address, readBody: async () => null })
    if (verdict.kind === 'let-in') {
      const who: [string, string][] = verdict.session === null ? [] : [['seatwise-visitor', verdict.session.ticketId]]
      return new Response(null, { status: 204, headers: who })
    }
    return pathname === CHECK_PATH ? new Response(null, { status: 401 }) : answer(verdict.answer)
  }
}

const MISCONFIGURED: Answer = {
  status: 500,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: 'nginx must set X-Original-URI and X-Original-Method; see docs/guard.md\n',
}

function answer({ status, headers, body }: Answer): Response {
  return new Response(body === '' ? null : body, { status, headers: headers.map(([name, value]) => [name, value]) })
}
