import type { Guard } from '../guard.ts'
import type { Session } from '../session/session-cookies.ts'
import { COMPLETE_HEADER, isYes, type NodeRequest, requestOf } from './for-node.ts'

/** As much of Fastify as a guard needs; the package itself is not one of ours. */
interface Instance {
  decorateRequest(name: string, value: null): unknown
  addHook(name: 'onRequest', hook: (request: Request, reply: Reply) => Promise<unknown>): unknown
  addHook(
    name: 'onSend',
    hook: (
      request: Request,
      reply: Reply,
      payload: unknown,
      done: (error?: Error | null, payload?: unknown) => void,
    ) => void,
  ): unknown
}
interface Request {
  readonly raw: NodeRequest
  /** What its setting `trustProxy` makes of it. */
  readonly ip: string
  seatwise?: Session | null
}
interface Reply {
  code(status: number): Reply
  header(name: string, value: string): Reply
  getHeader(name: string): unknown
  removeHeader(name: string): Reply
  send(body: string): Reply
}

/** A plugin for Fastify that guards all routes of the instance it is registered in, also those that do not exist. */
export function forFastify(guard: Guard): (app: Instance, options: unknown, done: () => void) => void {
  const plugin = (app: Instance, _options: unknown, done: () => void): void => {
    app.decorateRequest('seatwise', null)
    app.addHook('onRequest', async (request, reply) => {
      const verdict = await guard.check({ ...requestOf(request.raw), address: request.ip })
      if (verdict.kind === 'let-in') {
        request.seatwise = verdict.session
        return
      }
      const { status, headers, body } = verdict.answer
      reply.code(status)
      for (const [name, value] of headers) reply.header(name, value)
      return reply.send(body)
    })
    app.addHook('onSend', (request, reply, payload, sent) => {
      const asked = reply.getHeader(COMPLETE_HEADER)
      if (asked !== undefined) {
        reply.removeHeader(COMPLETE_HEADER)
        const { seatwise: session } = request
        // Fastify collects cookies that are set one after the other.
        if (session && isYes(asked)) reply.header('set-cookie', guard.complete(session))
      }
      sent(null, payload)
    })
    done()
  }
  // Fastify would otherwise keep the hooks to the plugin itself, which has no routes.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}
