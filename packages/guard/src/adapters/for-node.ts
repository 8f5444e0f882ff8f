import type { Guard } from '../guard.ts'
import type { Session } from '../session/session-cookies.ts'
import { readText } from './read-text.ts'
import type { Answer, GuardRequest } from './request.ts'

/** Set by the site on an answer after which its visitor needs the slot no more; never reaches the visitor. */
export const COMPLETE_HEADER = 'seatwise-complete'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A request of Node's HTTP server, as far as we need it; Express and Connect add what is optional. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL before a router took a prefix off it. */
  readonly originalUrl?: string | undefined
  readonly headers: Headers
  /** Of Express: what its setting `trust proxy` makes of it. */
  readonly ip?: string | undefined
  readonly socket?: { readonly remoteAddress?: string | undefined }
  /** What a parser that ran before the guard made of the body. */
  readonly body?: unknown
  seatwise?: Session | null
}

export interface NodeResponse {
  statusCode: number
  getHeader(name: string): unknown
  setHeader(name: string, value: string | readonly string[]): unknown
  removeHeader(name: string): void
  /** Node's own has overloads; only what all of them have in common is used. */
  writeHead: (...args: never[]) => unknown
  end(body: string): unknown
}

/** Middleware for Express and Connect; with `next` also for a bare server of Node. */
export function forExpress(guard: Guard): (request: NodeRequest, response: NodeResponse, next: Next) => void {
  return (request, response, next) => {
    const verdict = guard.check(requestOf(request))
    if (verdict instanceof Promise) verdict.then(act, next)
    else act(verdict)

    function act(decided: Awaited<typeof verdict>): void {
      if (decided.kind === 'answer') send(response, decided.answer)
      else {
        request.seatwise = decided.session
        if (decided.session !== null) completeByHeader(guard, decided.session, response)
        next()
      }
    }
  }
}

type Next = (error?: unknown) => void

/** What a guard looks at in a request of Node. */
export function requestOf(request: NodeRequest): GuardRequest {
  const { headers } = request
  return {
    method: request.method ?? '',
    url: request.originalUrl ?? request.url ?? '',
    cookie: one(headers.cookie),
    accept: one(headers.accept),
    fetchMode: one(headers['sec-fetch-mode']),
    origin: one(headers.origin),
    address: request.ip ?? request.socket?.remoteAddress,
    header: (name) => one(headers[name]),
    readBody: async (max) => formOf(request.body) ?? (await readText(request, max)),
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join('; ') : header
}

/** A form that was parsed before it came to us, as it was. */
function formOf(body: unknown): string | null {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return null
  const fields = Object.entries(body).filter((field): field is [string, string] => typeof field[1] === 'string')
  return fields.length === 0 ? null : new URLSearchParams(fields).toString()
}

function send(response: NodeResponse, { status, headers, body }: Answer): void {
  response.statusCode = status
  for (const [name, value] of headers) response.setHeader(name, value)
  response.end(body)
}

/** Looks at the answer's headers at the last moment before they are sent. */
function completeByHeader(guard: Guard, session: Session, response: NodeResponse): void {
  const writeHead = response.writeHead
  response.writeHead = function (this: unknown, ...args: never[]) {
    const given = args.length > 1 ? args.find((argument) => typeof argument === 'object') : undefined
    const asked = takeHeader(given) ?? response.getHeader(COMPLETE_HEADER)
    if (asked !== undefined) {
      response.removeHeader(COMPLETE_HEADER)
      if (isYes(asked)) addCookie(response, guard.complete(session))
    }
    return writeHead.apply(this, args)
  }
}

export function isYes(value: unknown): boolean {
  return value === '1' || value === 1 || value === 'true' || value === true
}

/** Headers given to `writeHead` itself, which are not among the response's own yet. */
function takeHeader(given: Record<string, unknown> | null | undefined): unknown {
  if (given === undefined || given === null || Array.isArray(given)) return undefined
  for (const [name, value] of Object.entries(given)) {
    if (name.toLowerCase() !== COMPLETE_HEADER) continue
    delete given[name]
    return value
  }
  return undefined
}

function addCookie(response: NodeResponse, cookie: string): void {
  const present = response.getHeader('set-cookie')
  const cookies = present === undefined ? [] : [present].flat().map(String)
  response.setHeader('set-cookie', [...cookies, cookie])
}
