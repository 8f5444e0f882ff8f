import { SeatwiseError } from '@seatwise/domain'
import { deleteWebhook, HOUSE_ID, listDeliveries, listWebhooks, type Webhook } from '@seatwise/ledger'
import { type Said, say, WORDS, webhookLogPage, webhookMadePage, webhooksPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import {
  makeWebhook,
  requireWebhook,
  resendNews,
  stateOf,
  TEST_LIMIT,
  testWebhook,
  WEBHOOK_TYPES,
} from '../../delivery/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { ButtonForm, formOf, type PageKit, queryOf } from '../../site/index.ts'
import { askToConfirm, idOf, type OrganizationRequest, readFrame } from './frame.ts'

const hidden = { hide: true } as const
const ofOne = { access: { act: 'webhooks', on: 'webhook' } } as const
const ofAll = { access: { act: 'webhooks', on: 'organization' } } as const
const Ticked = Type.Optional(Type.Literal('on'))
/** A form has one value for each name, so that each type is a field of its own. */
const WebhookForm = formOf({
  url: Type.String({ minLength: 1, maxLength: 2_000 }),
  ...(Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, Ticked])) as Record<
    (typeof WEBHOOK_TYPES)[number],
    typeof Ticked
  >),
})
const ResendForm = formOf({ delivery: Type.String({ maxLength: 36 }) })
type NewRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof WebhookForm> }>
type WebhookRequest = FastifyRequest<{ Params: { id: string } }>
type ResendRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof ResendForm> }>
const LISTED = 50
const WEBHOOKS_MAX = 1_000

/** Webhooks of an organization: add, try, look into the log, send again, delete. */
export function webhookPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const path = '/console/organizations/:id/webhooks'
  app.get(path, { config: ofAll, schema: hidden }, (request: OrganizationRequest, reply) =>
    showAll(services, kit, request, reply, { typed: typedIn(request) }),
  )
  app.post(path, { config: ofAll, schema: { ...hidden, body: WebhookForm } }, async (request: NewRequest, reply) => {
    const { url } = request.body
    const types = WEBHOOK_TYPES.filter((type) => request.body[type] === 'on')
    const actor = actorOf(request)
    try {
      await services.identity.freshness.requireFresh(actor)
      const made = await makeWebhook(services, actor, { organizationId: idOf(request), url, types })
      const { frame } = await readFrame(services, request)
      const { id, url: called } = made.webhook
      return kit.send(
        request,
        reply,
        webhookMadePage(kit.languageOf(request), frame, { id, url: called, secret: made.secret }),
      )
    } catch (error) {
      const code = error instanceof SeatwiseError ? error.code : null
      if (code === 'FRESH_SIGN_IN_NEEDED') {
        const back = `/console/organizations/${idOf(request)}/webhooks`
        return askToConfirm(reply, back, { url, types: types.join(',') })
      }
      const { problems } = WORDS[kit.languageOf(request)].hooks
      const sentence = code === 'BAD_REQUEST' ? problems.url : code === 'TOO_MANY_WEBHOOKS' ? problems.tooMany : null
      if (sentence === null) throw error
      const typed = { url, types, isWrong: code === 'BAD_REQUEST' }
      return await showAll(services, kit, request, reply, { said: { kind: 'problem', sentence }, typed })
    }
  })
  logPages(app, services, kit)
}

function logPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const path = '/console/webhooks/:id'
  app.get(path, { config: ofOne, schema: hidden }, (request: WebhookRequest, reply) =>
    showLog(services, kit, request, reply),
  )
  app.post(
    `${path}/test`,
    { config: { ...ofOne, rateLimit: TEST_LIMIT }, schema: { ...hidden, body: ButtonForm } },
    async (request: WebhookRequest, reply) => {
      const language = kit.languageOf(request)
      const words = WORDS[language].hooks
      const {
        isDelivered,
        problem,
        durationMs: ms,
      } = await testWebhook(services, await requireWebhook(services, request.params.id))
      const said: Said = isDelivered
        ? { kind: 'done', sentence: say(language, words.testGood, { ms }) }
        : { kind: 'problem', sentence: say(language, words.testBad, { ms, problem: problem ?? '' }) }
      return await showLog(services, kit, request, reply, said)
    },
  )
  app.post(
    `${path}/resend`,
    { config: ofOne, schema: { ...hidden, body: ResendForm } },
    async (request: ResendRequest, reply) => {
      try {
        await resendNews(services.ledger, actorOf(request), request.body.delivery)
      } catch (error) {
        if (!(error instanceof SeatwiseError) || error.code !== 'NOT_FOUND') throw error
        const sentence = WORDS[kit.languageOf(request)].hooks.problems.onItsWay
        return await showLog(services, kit, request, reply, { kind: 'problem', sentence })
      }
      return reply.redirect(`/console/webhooks/${request.params.id}?said=again`, 303)
    },
  )
  app.post(
    `${path}/delete`,
    { config: ofOne, schema: { ...hidden, body: ButtonForm } },
    async (request: WebhookRequest, reply) => {
      const webhook = await requireWebhook(services, request.params.id)
      await deleteWebhook(services.ledger.db, webhook.id)
      return reply.redirect(`${backOf(webhook)}?said=removed`, 303)
    },
  )
}

const backOf = ({ organizationId }: Webhook): string => `/console/organizations/${organizationId ?? HOUSE_ID}/webhooks`

const shown = ({ id, url, types, failures, organizationId }: Webhook) => ({
  ...{ id, url, types, failures },
  isOfAll: organizationId === null,
})

interface Typed {
  readonly url: string
  readonly types: readonly string[]
  readonly isWrong: boolean
}

/** What was typed before the fresh sign-in, which leads back with it. */
function typedIn(request: FastifyRequest): Typed {
  const url = (queryOf(request, 'url') ?? '').slice(0, 2_000)
  return { url, types: (queryOf(request, 'types') ?? '').split(','), isWrong: false }
}

async function showAll(
  services: BoxOfficeServices,
  kit: PageKit,
  request: OrganizationRequest,
  reply: FastifyReply,
  { said = null, typed }: { readonly said?: Said; readonly typed: Typed },
): Promise<FastifyReply> {
  const { db } = services.ledger
  const id = idOf(request)
  // Those of no organization are the admins', and stand with the house's.
  const isHouse = id === HOUSE_ID && actorOf(request).role === 'admin'
  const [{ frame }, found] = await Promise.all([
    readFrame(services, request),
    listWebhooks(db, isHouse ? null : [id], WEBHOOKS_MAX),
  ])
  const language = kit.languageOf(request)
  const isRemoved = said === null && queryOf(request, 'said') === 'removed'
  const page = webhooksPage(language, frame, {
    webhooks: found.filter(({ organizationId: of }) => of === id || (isHouse && of === null)).map(shown),
    ...{ types: WEBHOOK_TYPES, typed },
    said: isRemoved ? { kind: 'done', sentence: WORDS[language].hooks.removed } : said,
  })
  return kit.send(request, reply, page, said === null ? 200 : 422)
}

async function showLog(
  services: BoxOfficeServices,
  kit: PageKit,
  request: WebhookRequest,
  reply: FastifyReply,
  said: Said = null,
): Promise<FastifyReply> {
  const webhook = await requireWebhook(services, request.params.id)
  const cursor = Number(queryOf(request, 'cursor') ?? Number.NaN)
  const before = Number.isSafeInteger(cursor) ? cursor : null
  const found = await listDeliveries(services.ledger.db, { webhookId: webhook.id, before, max: LISTED + 1 })
  const calls = found.slice(0, LISTED)
  const language = kit.languageOf(request)
  const isAgain = said === null && queryOf(request, 'said') === 'again'
  const page = webhookLogPage(language, {
    webhook: shown(webhook),
    back: backOf(webhook),
    calls: calls.map((call) => ({ ...call, state: stateOf(call) })),
    nextCursor: found.length > LISTED ? (calls.at(-1)?.position ?? null) : null,
    said: isAgain ? { kind: 'done', sentence: WORDS[language].hooks.sentAgain } : said,
  })
  return kit.send(request, reply, page, said?.kind === 'problem' ? 422 : 200)
}
