import { KEY_ROLES, type KeyRole, SeatwiseError } from '@seatwise/domain'
import { listApiKeys } from '@seatwise/ledger'
import { KEY_DAYS, keyMadePage, keysPage, type Said, WORDS } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { makeKey, NewKey, revokeKey } from '../../identity/index.ts'
import { ButtonForm, formOf, type PageKit, queryOf } from '../../site/index.ts'
import { askToConfirm, idOf, type OrganizationRequest, readFrame, sayProblem } from './frame.ts'

const config = { access: { act: 'keys', on: 'organization' } } as const
const hidden = { hide: true } as const
const DAY_MS = 86_400_000
const { name, role } = NewKey.properties
const KeyForm = formOf({ name, role, days: Type.Integer({ minimum: 0, maximum: 3_650 }) })
type KeyFields = Static<typeof KeyForm>
type NewKeyRequest = FastifyRequest<{ Params: { id: string }; Body: KeyFields }>
type KeyRequest = FastifyRequest<{ Params: { id: string; keyId: string } }>

/** API keys: make, see when they were used, revoke. */
export function keyPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const base = '/console/organizations/:id/keys'
  app.get(base, { config, schema: hidden }, (request: OrganizationRequest, reply) =>
    show(services, kit, request, reply, { typed: typedIn(request) }),
  )
  app.post(base, { config, schema: { ...hidden, body: KeyForm } }, async (request: NewKeyRequest, reply) => {
    const { name, role, days } = request.body
    const actor = actorOf(request)
    try {
      await services.identity.freshness.requireFresh(actor)
      const expiresAt = days === 0 ? null : new Date(services.now() + days * DAY_MS)
      const wish = { organizationId: idOf(request), name, role, expiresAt, by: actor.id }
      const made = await makeKey(services, wish)
      const { frame } = await readFrame(services, request)
      return kit.send(request, reply, keyMadePage(kit.languageOf(request), frame, made))
    } catch (error) {
      if (error instanceof SeatwiseError && error.code === 'FRESH_SIGN_IN_NEEDED') {
        const path = `/console/organizations/${idOf(request)}/keys`
        return askToConfirm(reply, path, { name, role, days: String(days) })
      }
      const said = sayProblem(kit.languageOf(request), error)
      return await show(services, kit, request, reply, { said, typed: request.body })
    }
  })
  app.post(
    `${base}/:keyId/revoke`,
    { config, schema: { ...hidden, body: ButtonForm } },
    async (request: KeyRequest, reply) => {
      try {
        const { keyId } = request.params
        await revokeKey(services, { organizationId: idOf(request), id: keyId, by: actorOf(request).id })
      } catch (error) {
        return await show(services, kit, request, reply, { said: sayProblem(kit.languageOf(request), error) })
      }
      return reply.redirect(`/console/organizations/${idOf(request)}/keys?said=revoked`, 303)
    },
  )
}

const NOTHING_TYPED: KeyFields = { name: '', role: 'box_office', days: 90 }

/** What was typed before the fresh sign-in, which leads back with it. */
function typedIn(request: FastifyRequest): KeyFields {
  const days = Number(queryOf(request, 'days'))
  return {
    name: (queryOf(request, 'name') ?? '').slice(0, 100),
    role: KEY_ROLES.find((one: KeyRole) => one === queryOf(request, 'role')) ?? NOTHING_TYPED.role,
    days: KEY_DAYS.find((one) => one === days && queryOf(request, 'days') !== undefined) ?? NOTHING_TYPED.days,
  }
}

async function show(
  services: BoxOfficeServices,
  kit: PageKit,
  request: OrganizationRequest,
  reply: FastifyReply,
  { said = null, typed = NOTHING_TYPED }: { readonly said?: Said; readonly typed?: KeyFields },
): Promise<FastifyReply> {
  const language = kit.languageOf(request)
  const [{ frame }, keys] = await Promise.all([
    readFrame(services, request),
    listApiKeys(services.ledger.db, idOf(request)),
  ])
  const isRevoked = said === null && queryOf(request, 'said') === 'revoked'
  const page = keysPage(language, frame, {
    keys: keys.map((key) => ({ ...key, isOver: key.expiresAt !== null && key.expiresAt.getTime() <= services.now() })),
    typed,
    said: isRevoked ? { kind: 'done', sentence: WORDS[language].organization.keyRevoked } : said,
  })
  return kit.send(request, reply, page, said === null ? 200 : 422)
}
