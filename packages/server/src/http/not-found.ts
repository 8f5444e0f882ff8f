import { SeatwiseError } from '@seatwise/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from './errors.ts'
import type { App } from './http-server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a browser that requests an unknown address; null before the pages are added. */
    lostPage: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | null
  }
}

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/** Answers requests that match no route: 405 when the address exists for other methods, 404 otherwise. */
export function answerUnknownAddresses(app: App): void {
  app.decorate('lostPage', null)
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const name of [method].flat()) path.methods.add(name)
    known.set(url, path)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.raw.url?.split('?', 1)[0] ?? '/'
    const methods = methodsOf(path, known)
    if (methods.length === 0 && app.lostPage !== null && isLookedAt(request)) return app.lostPage(request, reply)
    if (methods.length === 0) return answerError(new SeatwiseError('NOT_FOUND'), request, reply)
    reply.header('allow', methods.join(', '))
    return answerError(new SeatwiseError('METHOD_NOT_ALLOWED'), request, reply)
  })
}

/** Whether a person with a browser asks, not a program. */
function isLookedAt({ method, headers, raw }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !raw.url?.startsWith('/api/')
}

function methodsOf(path: string, known: ReadonlyMap<string, KnownPath>): string[] {
  const methods = new Set<string>()
  for (const { pattern, methods: taken } of known.values()) {
    if (pattern.test(path)) for (const method of taken) methods.add(method)
  }
  return [...methods].sort()
}

/** `/api/events/:id` becomes `^/api/events/[^/]+$`; a star matches the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[^/]+/g, '[^/]+')
    .replace(/\*/g, '.*')
  return new RegExp(`^${source}$`)
}
