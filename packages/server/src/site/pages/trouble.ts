import { SeatwiseError } from '@seatwise/domain'
import { type Trouble, troublePage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { type App, askingPage, toSeatwiseError } from '../../http/index.ts'
import { dropSession } from '../../identity/index.ts'
import { ownPath } from './own-path.ts'
import type { PageKit } from './page-kit.ts'

/** Errors of pages are pages, in plain words. A visitor who has to sign in is sent to do so, and comes back. */
export function answerWithPages(app: App, scope: App, { config }: BoxOfficeServices, kit: PageKit): void {
  const show = (request: FastifyRequest, reply: FastifyReply, trouble: Trouble, statusCode: number) => {
    const page = troublePage(kit.languageOf(request), trouble, ownPath(request.raw.url), request.id)
    return kit.send(request, reply, page, statusCode)
  }
  app.lostPage = (request, reply) => show(request, reply, 'notFound', 404)
  scope.setErrorHandler(async (thrown, request, reply) => {
    const error = toSeatwiseError(thrown)
    if (error.code === 'UNAUTHORIZED') {
      dropSession(config, request, reply)
      return reply.redirect(`/sign-in?next=${encodeURIComponent(ownPath(request.raw.url))}`, 303)
    }
    const asking = askingPage(error.code, whereFrom(request))
    if (asking !== null) return reply.redirect(asking, 303)
    if (error.status >= 500) request.log.error({ requestId: request.id, err: error.cause ?? error }, 'a page failed')
    const retryAfterSeconds = error.retryAfterSeconds ?? 5
    if (error.status === 429 || error.status === 503) reply.header('retry-after', Math.ceil(retryAfterSeconds))
    return show(request, reply, troubleOf(error), error.status)
  })
}

/** The page to come back to: that of the form, where a form was sent. */
function whereFrom({ method, raw, headers }: FastifyRequest): string {
  if (method === 'GET' || method === 'HEAD') return ownPath(raw.url)
  const page = URL.parse(headers.referer ?? '')
  return page === null ? '/' : ownPath(`${page.pathname}${page.search}`)
}

/** A form that another site sent in the visitor's name. */
export const sentFromElsewhere = (): SeatwiseError =>
  new SeatwiseError('FORBIDDEN', { details: { reason: 'cross-site' } })

function troubleOf({ status, details }: SeatwiseError): Trouble {
  if (details.reason === 'cross-site') return 'crossSite'
  if (status === 404 || status === 410) return 'notFound'
  if (status === 403) return 'forbidden'
  if (status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'broken' : 'bad'
}
