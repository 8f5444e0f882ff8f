import { SeatwiseError } from '@seatwise/domain'
import { deleteConnector, readConnector } from '@seatwise/ledger'
import { type Said, type SiteCheck, sitePage, WORDS } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { TEST_LIMIT } from '../../delivery/index.ts'
import { type App, actorOf, ownOrigin } from '../../http/index.ts'
import { changeOwnRoom, createConnectorSecrets, giveConnector, NewRoomBody } from '../../rooms/index.ts'
import { ButtonForm, formOf, type PageKit, queryOf } from '../../site/index.ts'
import { askToConfirm } from '../organization/frame.ts'
import { checkSite, requireSite } from './routes.ts'

const hidden = { hide: true } as const
const ofRoom = { access: { act: 'room', on: 'room' } } as const
const ofConnector = { access: { act: 'connector', on: 'room' } } as const
const { name, target } = NewRoomBody.properties
const SiteForm = formOf({ name, target })
const ConnectorForm = formOf({
  customerId: Type.String({ maxLength: 64 }),
  eventId: Type.String({ maxLength: 64 }),
  secretKey: Type.Optional(Type.String({ maxLength: 200 })),
})
const NAME = /^[A-Za-z0-9-]{1,64}$/
const KEY = /^[!-~]{16,200}$/
type RoomRequest = FastifyRequest<{ Params: { id: string } }>
type SiteRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof SiteForm> }>
type ConnectorRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof ConnectorForm> }>

/** A room in front of another site: what to put there, and whether it works. */
export function sitePages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const path = '/console/rooms/:id/site'
  app.get(path, { config: ofRoom, schema: hidden }, async (request: RoomRequest, reply) => {
    const room = await services.rooms.byId(request.params.id)
    if (room.row.eventId !== null) return reply.redirect(`/console/events/${room.row.eventId}`, 303)
    return await show(services, kit, request, reply)
  })
  app.post(path, { config: ofRoom, schema: { ...hidden, body: SiteForm } }, async (request: SiteRequest, reply) => {
    const { id } = request.params
    try {
      await changeOwnRoom(services, id, { facts: request.body, change: { settings: {} } }, actorOf(request))
    } catch (error) {
      if (!(error instanceof SeatwiseError) || error.code !== 'BAD_REQUEST') throw error
      return await show(services, kit, request, reply, { said: problem(kit, request, 'target') })
    }
    return reply.redirect(`/console/rooms/${id}/site?said=saved`, 303)
  })
  app.post(
    `${path}/check`,
    { config: { ...ofRoom, rateLimit: TEST_LIMIT }, schema: { ...hidden, body: ButtonForm } },
    async (request: RoomRequest, reply) => {
      const check = await checkSite(services, request, await requireSite(services, request.params.id))
      return await show(services, kit, request, reply, { check })
    },
  )
  connectorPages(app, services, kit)
}

function connectorPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const keys = createConnectorSecrets(services.secrets, services.ledger)
  const path = '/console/rooms/:id/connector'
  app.post(
    path,
    { config: ofConnector, schema: { ...hidden, body: ConnectorForm } },
    async (request: ConnectorRequest, reply) => {
      const { id } = request.params
      const { customerId, eventId, secretKey = '' } = request.body
      const isGood = NAME.test(customerId) && NAME.test(eventId) && (secretKey === '' || KEY.test(secretKey))
      if (!isGood) return await show(services, kit, request, reply, { said: problem(kit, request, 'names') })
      try {
        await services.identity.freshness.requireFresh(actorOf(request))
        const given = secretKey === '' ? {} : { secretKey }
        const wish = { kind: 'known-user-v3', customerId, eventId, ...given } as const
        const made = await giveConnector(services, keys, await services.rooms.byId(id), wish)
        const said = { kind: 'done', sentence: WORDS[kit.languageOf(request)].sites.connectorSaved } as const
        return await show(services, kit, request, reply, { said, secretKey: secretKey === '' ? made.secretKey : null })
      } catch (error) {
        const code = error instanceof SeatwiseError ? error.code : null
        if (code === 'FRESH_SIGN_IN_NEEDED') return askToConfirm(reply, `/console/rooms/${id}/site`, {})
        if (code !== 'CONNECTOR_TAKEN') throw error
        return await show(services, kit, request, reply, { said: problem(kit, request, 'taken') })
      }
    },
  )
  app.post(
    `${path}/delete`,
    { config: ofConnector, schema: { ...hidden, body: ButtonForm } },
    async (request: RoomRequest, reply) => {
      const room = await services.rooms.byId(request.params.id)
      await deleteConnector(services.ledger.db, room.id)
      return reply.redirect(`/console/rooms/${room.id}/site?said=removed`, 303)
    },
  )
}

function problem(kit: PageKit, request: FastifyRequest, what: keyof (typeof WORDS)['en']['sites']['problems']): Said {
  return { kind: 'problem', sentence: WORDS[kit.languageOf(request)].sites.problems[what] }
}

interface Stand {
  readonly said?: Said
  readonly check?: SiteCheck | null
  readonly secretKey?: string | null
}

async function show(
  services: BoxOfficeServices,
  kit: PageKit,
  request: RoomRequest,
  reply: FastifyReply,
  { said = null, check = null, secretKey = null }: Stand = {},
): Promise<FastifyReply> {
  const { id, name, target } = await requireSite(services, request.params.id)
  const connector = await readConnector(services.ledger.db, { roomId: id })
  const language = kit.languageOf(request)
  const words = WORDS[language].sites
  const done = { saved: words.saved, removed: words.connectorRemoved }[queryOf(request, 'said') ?? '']
  const page = sitePage(language, {
    ...{ id, name, target, connector, check, secretKey },
    roomUrl: ownOrigin(services.config, request),
    said: said ?? (done === undefined ? null : { kind: 'done', sentence: done }),
  })
  return kit.send(request, reply, page, said?.kind === 'problem' ? 422 : 200)
}
