import { type SaleEvent, SeatwiseError, transfersEnd } from '@seatwise/domain'
import {
  type Eticket,
  findMailLink,
  readEticket,
  readEticketsOf,
  readEvent,
  readGivenAway,
  readReservation,
  readTransfer,
} from '@seatwise/ledger'
import {
  type EticketFacts,
  type Giving,
  listedPage,
  type OfferStand,
  offerPage,
  orderPage,
  transferPage,
} from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import {
  acceptByLink,
  acceptOfferByLink,
  confirmByLink,
  declineOfferByLink,
  describeEticket,
  leaveByLink,
  offerByLink,
  requestByLink,
} from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { keepSession } from '../../identity/index.ts'
import { ButtonForm } from './forms.ts'
import { forPeople, type PageParts, readPageEvent } from './page-parts.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

const DAY_MS = 86_400_000
/** How long after its event an order is shown: buyers look up what they paid. */
const SHOWN_DAYS = 30

const buttons = { ...forPeople, schema: { ...forPeople.schema, body: ButtonForm } }

/** The pages that mail links to. Their addresses are secrets: no referrer, no index, and nothing happens on opening one. */
export function afterSalePages(app: App, parts: PageParts): void {
  purchasedPages(app, parts)
  transferPages(app, parts)
  listPages(app, parts)
  offerPages(app, parts)
}

/**
 * `no-referrer` for a page without a form. One with a form needs `same-origin`: without a referrer browsers hide the origin
 * of a form, too, and then it is taken for another site's.
 */
function privately(reply: FastifyReply, referrer: 'no-referrer' | 'same-origin' = 'same-origin'): FastifyReply {
  return reply.headers({ 'referrer-policy': referrer, 'x-robots-tag': 'noindex, nofollow' })
}

function purchasedPages(app: App, parts: PageParts): void {
  const { kit, ledger } = parts
  const forLink = { config: { access: 'public' }, schema: { hide: true } } as const
  app.get('/orders/:token', forLink, async (request: TokenRequest, reply) => {
    const id = await findMailLink(ledger.db, 'order', request.params.token)
    const reservation = id === null ? null : await readReservation(ledger.db, id)
    if (reservation === null) throw new SeatwiseError('NOT_FOUND')
    const event = await readEvent(ledger.db, reservation.eventId)
    const over = event?.endsAt ?? event?.startsAt ?? event?.salesEndAt
    if (event === null || parts.now() > (over?.getTime() ?? 0) + SHOWN_DAYS * DAY_MS)
      throw new SeatwiseError('NOT_FOUND')
    const all = await readEticketsOf(ledger.db, [reservation.id])
    const own = all.filter(({ holderId }) => holderId === reservation.buyerId)
    const given = await readGivenAway(
      ledger.db,
      reservation.buyerId,
      all.map(({ id: eticketId }) => eticketId),
    )
    const page = orderPage(kit.languageOf(request), {
      ...{ event, reservation, etickets: own.map((eticket) => draw(parts, eticket, reservation.buyerId)) },
      givenTo: given.filter(({ isAccepted }) => isAccepted).map(({ email }) => email),
    })
    return kit.send(request, privately(reply, 'no-referrer'), page)
  })
}

/** Whether an e-ticket of an event may still be given away. */
export function givingOf(event: SaleEvent, email: string | null, now: number): Giving {
  const until = transfersEnd(event)
  return { email, until, isOver: until !== null && until.getTime() <= now }
}

const WALLETS = ['apple', 'google'] as const

/** Level M keeps a code readable after one fold; scanners need the border. */
export function draw(
  { identity, config }: Pick<PageParts, 'identity' | 'config'>,
  eticket: Eticket,
  viewerId: string,
): EticketFacts {
  const shown = describeEticket(identity.keys, eticket, viewerId)
  return {
    ...shown,
    wallets: WALLETS.filter((wallet) => config.wallets[wallet] !== null),
    drawing: shown.code === null ? null : renderSVG(shown.code, { ecc: 'M', border: 4, pixelSize: 4 }),
  }
}

function transferPages(app: App, parts: PageParts): void {
  const { kit, ledger, identity, config } = parts
  async function find(token: string) {
    const id = await findMailLink(ledger.db, 'transfer', token)
    const transfer = id === null ? null : await readTransfer(ledger.db, id)
    const eticket = transfer === null ? null : await readEticket(ledger.db, transfer.eticketId)
    if (transfer === null || eticket === null) throw new SeatwiseError('NOT_FOUND')
    return { transfer, eticket }
  }
  app.get('/transfer/:token', forPeople, async (request: TokenRequest, reply) => {
    const { token } = request.params
    const { transfer, eticket } = await find(token)
    // A guest who accepted it comes back by the same link, also after their session.
    const isBack =
      transfer.status === 'accepted' && transfer.acceptedBy === transfer.id && eticket.holderId === transfer.id
    const state = eticket.isVoid ? 'void' : eticket.checkedInAt === null ? 'open' : 'used'
    const stand = transfer.status === 'open' || isBack ? state : 'over'
    const shown = describeEticket(identity.keys, eticket, '')
    return kit.send(request, privately(reply), transferPage(kit.languageOf(request), shown, { stand, token }))
  })
  app.post('/transfer/:token', buttons, async (request: TokenRequest, reply) => {
    const { token: link } = request.params
    try {
      const { eticket, token } = await acceptByLink(parts, request.actor, link)
      if (request.actor === null) keepSession(config, request, reply, token)
      return privately(reply).redirect(`/etickets/${eticket.id}`, 303)
    } catch (error) {
      const stand = error instanceof SeatwiseError ? STANDS[error.code] : undefined
      if (stand === undefined) throw error
      const shown = describeEticket(identity.keys, (await find(link)).eticket, '')
      const page = transferPage(kit.languageOf(request), shown, { stand, token: link })
      return kit.send(request, privately(reply), page, 409)
    }
  })
}

const STANDS: Readonly<Record<string, 'over' | 'used' | 'void' | 'closed'>> = {
  TRANSFER_OVER: 'over',
  ALREADY_USED: 'used',
  ETICKET_VOID: 'void',
  TRANSFERS_CLOSED: 'closed',
}

function listPages(app: App, parts: PageParts): void {
  const { kit } = parts
  app.get('/returns/:token', forPeople, async (request: TokenRequest, reply) => {
    const { token } = request.params
    const entry = await requestByLink(parts, token)
    const event = await readPageEvent(parts, request, entry.eventId)
    return kit.send(request, privately(reply), listedPage(kit.languageOf(request), event, { ...entry, token }))
  })
  app.post('/returns/:token', buttons, async (request: TokenRequest, reply) => {
    await confirmByLink(parts, request.params.token)
    return privately(reply).redirect(`/returns/${request.params.token}`, 303)
  })
  app.post('/returns/:token/leave', buttons, async (request: TokenRequest, reply) => {
    await leaveByLink(parts, request.params.token)
    return privately(reply).redirect(`/returns/${request.params.token}`, 303)
  })
}

function offerPages(app: App, parts: PageParts): void {
  const { kit, ledger, config } = parts
  async function show(request: TokenRequest, reply: FastifyReply, isLimited: boolean): Promise<FastifyReply> {
    const { token } = request.params
    const { id, eventId, reservationId, acceptedBy } = await offerByLink(parts, token)
    const event = await readPageEvent(parts, request, eventId)
    const reservation = await readReservation(ledger.db, reservationId)
    if (reservation === null) throw new SeatwiseError('NOT_FOUND')
    const isOpen = reservation.status === 'PENDING_PAYMENT' && reservation.expiresAt.getTime() > parts.now()
    const isMine = acceptedBy !== null && acceptedBy === (request.actor?.id ?? id)
    const open: OfferStand = isOpen && acceptedBy === null ? 'open' : 'over'
    const stand: OfferStand = isMine ? 'taken' : isLimited ? 'limit' : open
    const page = offerPage(kit.languageOf(request), { event, reservation }, { stand, token })
    return kit.send(request, privately(reply), page, stand === 'limit' ? 409 : 200)
  }
  app.get('/offers/:token', forPeople, (request: TokenRequest, reply) => show(request, reply, false))
  app.post('/offers/:token', buttons, async (request: TokenRequest, reply) => {
    try {
      const { reservation, token } = await acceptOfferByLink(parts, request.actor, request.params.token)
      if (request.actor === null) keepSession(config, request, reply, token)
      return privately(reply).redirect(`/checkout/${reservation.id}`, 303)
    } catch (error) {
      const code = error instanceof SeatwiseError ? error.code : null
      if (code !== 'OFFER_OVER' && code !== 'LIMIT_REACHED') throw error
      return await show(request, reply, code === 'LIMIT_REACHED')
    }
  })
  app.post('/offers/:token/decline', buttons, async (request: TokenRequest, reply) => {
    await declineOfferByLink(parts, request.params.token).catch((error: unknown) => {
      if (!(error instanceof SeatwiseError) || error.code !== 'OFFER_OVER') throw error
    })
    return privately(reply).redirect(`/offers/${request.params.token}`, 303)
  })
}
