import type { Guard } from '../guard.ts'
import { COMPLETE_HEADER, isYes } from './for-node.ts'
import { readText } from './read-text.ts'
import type { GuardRequest, Verdict } from './request.ts'

/** What platforms give along that end a program with its answer. */
export interface Context {
  waitUntil(promise: Promise<unknown>): void
}

export type Guarded = (
  request: Request,
  next: (request: Request) => Response | Promise<Response>,
  context?: Context,
) => Promise<Response>

/** For everything that turns a Request into a Response: Workers, Next.js middleware, Bun, Deno. */
export function forFetch(guard: Guard): Guarded {
  return async (request, next, context) => {
    const verdict = await guard.check(requestOf(request))
    const response = await follow(guard, verdict, () => next(request))
    context?.waitUntil(guard.settled())
    return response
  }
}

/** The part of Hono's context that a guard needs. */
interface HonoContext {
  readonly req: { readonly raw: Request }
  get res(): Response
  set res(response: Response | undefined)
}

/** Middleware for Hono. */
export function forHono(guard: Guard): (context: HonoContext, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    const verdict = await guard.check(requestOf(context.req.raw))
    const response = await follow(guard, verdict, async () => {
      await next()
      return context.res
    })
    // Hono copies the headers of an answer that is replaced, also the one that was taken out.
    context.res = undefined
    context.res = response
  }
}

/** The guard's own answer, or the site's without what it says to the guard. */
async function follow(guard: Guard, verdict: Verdict, answer: () => Response | Promise<Response>): Promise<Response> {
  if (verdict.kind === 'answer') {
    const { status, headers, body } = verdict.answer
    return new Response(body === '' ? null : body, { status, headers: headers.map(([name, value]) => [name, value]) })
  }
  const response = await answer()
  const asked = response.headers.get(COMPLETE_HEADER)
  if (asked === null) return response
  const headers = new Headers(response.headers)
  headers.delete(COMPLETE_HEADER)
  if (verdict.session !== null && isYes(asked)) headers.append('set-cookie', guard.complete(verdict.session))
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

export function requestOf(request: Request): GuardRequest {
  const { headers } = request
  const { pathname, search } = new URL(request.url)
  const header = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    method: request.method,
    url: pathname + search,
    cookie: header('cookie'),
    accept: header('accept'),
    fetchMode: header('sec-fetch-mode'),
    origin: header('origin'),
    // A Request does not say where it came from.
    address: undefined,
    header,
    readBody: (max) => readText(request.body, max),
  }
}
