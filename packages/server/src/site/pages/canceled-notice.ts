import { readEvents, readReservations } from '@seatwise/ledger'
import type { CanceledSeats } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { Config } from '../../config/index.ts'
import { type Actor, type App, addCookie, isOfSale, readCookie } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'

const CANCELED_COOKIE = 'seatwise-canceled'
const SEPARATOR = '.'
/** From signing in to a page that the buyer has read: there may be redirects, and pages that reload by themselves. */
const NOTICE_SECONDS = 120
/** Each is one sentence on the page. Further ones are in the buyer's list of reservations. */
const NOTICES_MAX = 8

declare module 'fastify' {
  interface FastifyRequest {
    /** For the next page to tell the buyer: reservations that signing in cancelled. Null where there are none. */
    canceled: readonly CanceledSeats[] | null
  }
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Lets the page that the buyer lands on tell which reservations were cancelled because of the limit (B50). */
export function keepCanceled(config: Config, call: Call, canceled: readonly { readonly id: string }[]): void {
  if (canceled.length === 0) return
  const value = canceled
    .slice(0, NOTICES_MAX)
    .map(({ id }) => id)
    .join(SEPARATOR)
  addCookie(config, call, { name: CANCELED_COOKIE, value, seconds: NOTICE_SECONDS })
}

/** Called once a page has shown the notice, so that the next one does not. */
export function forgetCanceled(config: Config, call: Call): void {
  addCookie(config, call, { name: CANCELED_COOKIE, value: '', seconds: 0 })
}

/**
 * Before a page is rendered: reads what `keepCanceled` stored. The cookie only says where to look, and is not trusted.
 */
export function readCanceledNotices(scope: App, services: BoxOfficeServices): void {
  scope.addHook('preHandler', async (request) => {
    const value = readCookie(services.config, request, CANCELED_COOKIE)
    if (value === null || value === '' || request.actor === null) return
    const ids = value.split(SEPARATOR, NOTICES_MAX).filter(isUuid)
    try {
      const { actor } = request
      request.canceled = await services.pulse.ask(() => readCanceled(services, ids, actor))
    } catch (err) {
      // The page matters more than the notice; the cookie stays, and the next page shows it.
      request.log.warn({ err }, 'a notice about cancelled reservations could not be read')
    }
  })
}

async function readCanceled(
  { ledger }: BoxOfficeServices,
  ids: readonly string[],
  actor: Actor,
): Promise<readonly CanceledSeats[] | null> {
  const canceled = (await readReservations(ledger.db, ids)).filter(
    ({ buyerId, status, eventId }) => buyerId === actor.id && status === 'CANCELED' && isOfSale(actor, eventId),
  )
  if (canceled.length === 0) return null
  const events = await readEvents(ledger.replica, [...new Set(canceled.map(({ eventId }) => eventId))])
  const names = new Map(events.map(({ id, name }) => [id, name]))
  return canceled.map(({ eventId, items }) => ({ eventName: names.get(eventId) ?? '', count: items.length }))
}
