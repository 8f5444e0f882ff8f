import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { handoverPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { App } from '../../http/index.ts'
import { keepSession } from '../../identity/index.ts'
import { AcceptBody, acceptCode, keepTickets } from '../../rooms/index.ts'
import { formOf } from './forms.ts'
import { inSale, type PageParts, takingForm } from './page-parts.ts'
import { eventHall, type Hall, roomHall } from './wait.ts'

const CodeForm = formOf({ code: AcceptBody.properties.code })
type IdRequest = FastifyRequest<{ Params: { id: string } }>
type CodeRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof CodeForm> }>

/** Where a place is handed over to another device. Opening the page joins no line. */
export function handoverPages(app: App, parts: PageParts): void {
  handoverPagesOf(app, parts, '/events/:id/handover', (request) => eventHall(parts, request))
  handoverPagesOf(app, parts, '/rooms/:id/handover', (request) => roomHall(parts, request))
}

function handoverPagesOf(app: App, parts: PageParts, path: string, find: (request: IdRequest) => Promise<Hall>): void {
  app.get(path, inSale('path'), async (request: IdRequest, reply) =>
    show(parts, request, reply, await find(request), null),
  )
  app.post(path, takingForm(CodeForm), async (request: CodeRequest, reply) => {
    const hall = await find(request)
    const wish = { code: request.body.code, operation: randomUUID(), address: request.ip }
    try {
      const { view, identity, token } = await acceptCode(parts, hall.room, wish)
      const room = hall.room.id
      const ticket = { token: parts.roomTokens.tickets.issue({ ...view, identity, room }), room }
      keepTickets(parts, { request, reply }, [ticket])
      keepSession(parts.config, request, reply, token)
      return reply.redirect(`/${hall.kind}s/${hall.id}/wait`, 303)
    } catch (error) {
      if (!(error instanceof SeatwiseError) || error.status >= 500) throw error
      return show(parts, request, reply, hall, error)
    }
  })
}

function show(
  { kit }: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  { kind, id, name, host }: Hall,
  refusal: SeatwiseError | null,
): FastifyReply {
  const shown = { kind, id, name, ...(host === undefined ? {} : { host }) }
  const page = handoverPage(kit.languageOf(request), { ...shown, isRefused: refusal !== null })
  return kit.send(request, reply, page, refusal?.status ?? 200)
}
