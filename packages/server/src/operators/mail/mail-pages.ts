import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { countBuyers, listMail, readEvent } from '@seatwise/ledger'
import { consoleMailPage, type MailFacts, say, WORDS } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { type BoxOfficeServices, readEventId } from '../../box-office/index.ts'
import { sendsMail } from '../../config/index.ts'
import { BuyerMailBody, previewToBuyers, resendNews, stateOf, writeToBuyers } from '../../delivery/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { formOf, type PageKit, queryOf } from '../../site/index.ts'

const config = { access: { act: 'event', on: 'event' } } as const
const hidden = { hide: true } as const
const LISTED = 50
const MailForm = formOf(BuyerMailBody.properties)
const AgainForm = formOf({ delivery: Type.String({ format: 'uuid' }) })
type MailRequest = FastifyRequest<{ Params: { id: string } }>
type WritingRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof MailForm> }>
type AgainRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof AgainForm> }>

/** Mail to all buyers of an event, and its log. */
export function mailPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const path = '/console/events/:id/mail'
  app.get(path, { config, schema: hidden }, (request: MailRequest, reply) => show(services, kit, request, reply))
  app.post(path, { config, schema: { ...hidden, body: MailForm } }, (request: WritingRequest, reply) =>
    show(services, kit, request, reply, { draft: request.body }),
  )
  app.post(
    `${path}/send`,
    { config, schema: { ...hidden, body: MailForm } },
    async (request: WritingRequest, reply) => {
      const eventId = readEventId(request.params.id)
      try {
        const { recipients } = await writeToBuyers(services, actorOf(request), eventId, request.body)
        return reply.redirect(`/console/events/${eventId}/mail?sent=${recipients}`, 303)
      } catch (error) {
        if (!(error instanceof SeatwiseError) || error.code !== 'TOO_MANY_REQUESTS') throw error
        const sentence = WORDS[kit.languageOf(request)].mailing.tooMany
        return await show(services, kit, request, reply, { draft: request.body, said: { kind: 'problem', sentence } })
      }
    },
  )
  app.post(
    `${path}/again`,
    { config, schema: { ...hidden, body: AgainForm } },
    async (request: AgainRequest, reply) => {
      const eventId = readEventId(request.params.id)
      await resendNews(services.ledger, actorOf(request), request.body.delivery)
      return reply.redirect(`/console/events/${eventId}/mail?said=again`, 303)
    },
  )
}

interface Stand {
  readonly draft?: Static<typeof MailForm>
  readonly said?: MailFacts['said']
}

async function show(
  { ledger, config: settings }: BoxOfficeServices,
  kit: PageKit,
  request: MailRequest,
  reply: FastifyReply,
  { draft, said = saidBy(kit, request) }: Stand = {},
): Promise<FastifyReply> {
  const eventId = readEventId(request.params.id)
  const before = Number.parseInt(queryOf(request, 'before') ?? '', 10)
  const wanted = { eventId, before: Number.isSafeInteger(before) ? before : null, max: LISTED }
  const [event, { recipients }, log] = await Promise.all([
    readEvent(ledger.db, eventId),
    countBuyers(ledger.db, eventId),
    listMail(ledger.db, wanted),
  ])
  if (event === null) throw new SeatwiseError('NOT_FOUND')
  const language = kit.languageOf(request)
  const page = consoleMailPage(language, {
    ...{ eventId, eventName: event.name, timeZone: event.timeZone, hasMail: sendsMail(settings), recipients, said },
    draft: { subject: '', text: '', ...draft, id: draft?.id ?? randomUUID() },
    preview: draft === undefined ? null : previewToBuyers(language, event, draft),
    log: log.map((mail) => ({ ...mail, state: stateOf(mail) })),
    next: log.length === LISTED ? Number(log.at(-1)?.position) : null,
  })
  return kit.send(request, reply, page, said?.kind === 'problem' ? 422 : 200)
}

function saidBy(kit: PageKit, request: MailRequest): MailFacts['said'] {
  const language = kit.languageOf(request)
  const words = WORDS[language].mailing
  const sent = Number.parseInt(queryOf(request, 'sent') ?? '', 10)
  if (Number.isSafeInteger(sent)) return { kind: 'done', sentence: say(language, words.sent, { count: sent }) }
  return queryOf(request, 'said') === 'again' ? { kind: 'done', sentence: words.resent } : null
}
