import { isLedgerAway, joining } from '@seatwise/ledger'
import { auditPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/index.ts'
import { forAll, forPeople, type PageParts } from './page-parts.ts'
import { eventHall, type Hall, roomHall } from './wait.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** Where a visitor checks the transparency log of a room. */
export function auditPages(app: App, parts: PageParts): void {
  app.get('/events/:id/audit', forAll(forPeople), async (request: IdRequest, reply) =>
    show(parts, request, reply, await eventHall(parts, request)),
  )
  app.get('/rooms/:id/audit', forAll(forPeople), async (request: IdRequest, reply) =>
    show(parts, request, reply, await roomHall(parts, request)),
  )
}

async function show(
  { kit, ledger }: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  { kind, id, name, host, room }: Hall,
): Promise<FastifyReply> {
  const refusals = await joining.readRefusals(ledger.replica, room.id).catch((error: unknown) => {
    if (isLedgerAway(error)) return null
    throw error
  })
  const shown = { kind, id, name, roomId: room.id, refusals, ...(host === undefined ? {} : { host }) }
  return kit.send(request, reply, auditPage(kit.languageOf(request), shown))
}
