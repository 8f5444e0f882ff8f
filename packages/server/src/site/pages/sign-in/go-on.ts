import { downloadPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageParts } from '../page-parts.ts'

/**
 * Leads to what a person wanted before they were asked something. A download would leave the page that asked on the screen: a
 * page of its own starts it, and leads back.
 */
export function goOn({ kit }: PageParts, request: FastifyRequest, reply: FastifyReply, next: string): FastifyReply {
  if (!next.startsWith('/api/')) return reply.redirect(next, 303)
  const [, kind = '', id = ''] = /^\/api\/(events|rooms)\/([\w-]+)/.exec(next) ?? []
  const back = next.startsWith('/api/auth/') ? '/account' : kind === '' ? '/console' : `/console/${kind}/${id}`
  return kit.send(request, reply, downloadPage(kit.languageOf(request), { path: next, back }))
}
