import { randomUUID } from 'node:crypto'
import { type HttpAnswer, type HttpRequest, type Server, type Visitor, waitUntil } from '@seatwise/testbench'
import { houseOf } from '../box-office/market.ts'
import { openRoom, type Room } from '../sale-under-test/start-sale.ts'
import type { Laboratory } from './laboratory.ts'

/** What people do in a sale. Admission is no deed: a waiting visitor is admitted when another one leaves. */
export const DEEDS = ['join', 'wait', 'enter', 'reserve', 'pay', 'cancel', 'scan', 'operate', 'leave'] as const
export type Deed = (typeof DEEDS)[number]

export interface Answered {
  readonly status: number
  readonly code: string
  readonly retryAfterMs: number | null
}

/** A sale with a visitor ready for each deed. Each can be tried again and again, always with the same key. */
export interface Scene {
  readonly room: Room
  /** Asks the server with this index; an answer that does not come is a status of 0. */
  attempt(deed: Deed, server?: number): Promise<Answered>
  /** The position of the visitor who is admitted when another one leaves. */
  statusOfNext(server?: number): Promise<string>
  /** For the ledger, payments that are under way began a minute ago. */
  agePayments(): Promise<void>
  /** What the ledger has of it, when all deeds are done. */
  facts(): Promise<{ paid: number; canceled: number; pending: number; etickets: number; checkedIn: number }>
}

const FLOOR = {
  ...{ ratePerMinute: 60_000, burst: 100, claimSeconds: 300, sessionSeconds: 300, reservationSeconds: 300 },
  heartbeatTimeoutSeconds: 300,
}

export async function openScene(laboratory: Laboratory, seed: number): Promise<Scene> {
  const { servers, undo } = laboratory
  // The one who paid has gone; those who enter, reserve, pay, cancel and leave are on the floor, and it is full.
  const room = await openRoom(servers, { seed, undo, room: { ...FLOOR, capacity: 5 }, event: houseOf(20, 5) })
  const admin = `Bearer ${await serverOf(servers, 0).adminToken()}`
  const { body } = await room.http.send({
    method: 'GET',
    url: `${serverOf(servers, 0).url}/api/events/${room.eventId}`,
  })
  const seatTypeId = (body.seatTypes as { id: string }[])[0]?.id ?? ''
  const send = (server: number, path: string, request: Omit<HttpRequest, 'url'>) =>
    room.http.send({ ...request, url: `${serverOf(servers, server).url}${path}` })
  const reserve = (visitor: Visitor, key: string, server = 0) =>
    send(server, `/api/events/${room.eventId}/reservations`, {
      method: 'POST',
      headers: { ...signedIn(visitor), 'seatwise-pass': visitor.pass ?? '', 'idempotency-key': key },
      body: { seatTypeId, quantity: 1 },
    })
  const pay = (visitor: Visitor, reservationId: string, key: string, server = 0) =>
    send(server, '/api/purchases', {
      method: 'POST',
      headers: { ...signedIn(visitor), 'idempotency-key': key },
      body: { reservationId, paymentMethod: 'sandbox_ok' },
    })
  const enter = async (name: string): Promise<Visitor> => {
    const visitor = room.visitor(name)
    await visitor.join()
    await waitUntil(`${name} is let in`, async () => (await visitor.look()).status === 'admitted')
    return visitor
  }
  const act = async (name: string): Promise<Visitor> => {
    const visitor = await enter(name)
    await visitor.enter()
    return visitor
  }
  const hold = async (visitor: Visitor): Promise<string> => {
    const key = randomUUID()
    return String((await created(() => reserve(visitor, key))).id)
  }

  const holder = await act('has a ticket for the door')
  const held = await hold(holder)
  const payment = randomUUID()
  const bought = await created(() => pay(holder, held, payment))
  const code = (bought.etickets as { code: string }[])[0]?.code ?? ''
  const payer = await act('is about to pay')
  const toPay = await hold(payer)
  const canceler = await act('is about to cancel')
  const toCancel = await hold(canceler)
  const reserver = await act('is about to reserve')
  const leaver = await act('is about to leave')
  const entrant = await enter('is about to enter')
  const next = room.visitor('is next')
  await next.join()
  const newcomer = room.visitor('is about to join')

  const keys = { reserve: randomUUID(), pay: randomUUID(), cancel: randomUUID(), scan: randomUUID() }
  const queue = `/api/rooms/${room.roomId}/queue`
  const deeds: Record<Deed, (server: number) => Promise<HttpAnswer>> = {
    join: (server) => send(server, `${queue}/join`, { method: 'POST', headers: signedIn(newcomer), body: {} }),
    wait: (server) => send(server, `${queue}/status`, { method: 'GET', headers: holding(next) }),
    enter: (server) => send(server, `${queue}/claim`, { method: 'POST', headers: holding(entrant) }),
    reserve: (server) => reserve(reserver, keys.reserve, server),
    pay: (server) => pay(payer, toPay, keys.pay, server),
    cancel: (server) =>
      send(server, `/api/reservations/${toCancel}`, {
        method: 'DELETE',
        headers: { ...signedIn(canceler), 'idempotency-key': keys.cancel },
      }),
    scan: (server) =>
      send(server, '/api/checkin', {
        method: 'POST',
        headers: { authorization: admin, 'idempotency-key': keys.scan },
        body: { code },
      }),
    operate: (server) =>
      send(server, `/api/events/${room.eventId}/room`, {
        method: 'PATCH',
        headers: { authorization: admin },
        body: { message: 'Doors open at seven' },
      }),
    leave: (server) => send(server, queue, { method: 'DELETE', headers: holding(leaver) }),
  }
  return {
    room,
    async attempt(deed, server = 0) {
      const answer = await answered(deeds[deed](server))
      // A payment that lost its beginning was given up; a buyer who hears that pays again, which is another payment.
      if (deed === 'pay' && answer.code === 'PAYMENT_DECLINED') keys.pay = randomUUID()
      return answer
    },
    async statusOfNext(server = 0) {
      const { body: standing } = await deeds.wait(server)
      return String(standing.status)
    },
    agePayments: () => agePayments(laboratory, room.eventId),
    facts: () => readFacts(laboratory, room.eventId),
  }
}

async function answered(answer: Promise<HttpAnswer>): Promise<Answered> {
  try {
    const { status, retryAfterMs, body } = await answer
    return { status, retryAfterMs, code: String(body.code ?? '') }
  } catch {
    // The connection broke: the outcome is unknown, which is why the visitor asks again.
    return { status: 0, retryAfterMs: null, code: '' }
  }
}

async function agePayments({ ledger }: Laboratory, eventId: string): Promise<void> {
  await ledger.db
    .updateTable('purchases')
    .set({ created_at: new Date(Date.now() - 60_000) })
    .where('reservation_id', 'in', (from) =>
      from.selectFrom('reservations').select('id').where('event_id', '=', eventId),
    )
    .where('status', '=', 'PROCESSING')
    .execute()
}

async function readFacts({ ledger }: Laboratory, eventId: string) {
  const rows = await ledger.db
    .selectFrom('reservations')
    .select(['id', 'status'])
    .where('event_id', '=', eventId)
    .execute()
  const etickets = await ledger.db
    .selectFrom('etickets')
    .select(['checked_in_at'])
    .where(
      'reservation_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const count = (status: string) => rows.filter((row) => row.status === status).length
  return {
    ...{ paid: count('PAID'), canceled: count('CANCELED'), pending: count('PENDING_PAYMENT') },
    etickets: etickets.length,
    checkedIn: etickets.filter(({ checked_in_at }) => checked_in_at !== null).length,
  }
}

function serverOf(servers: readonly Server[], index: number): Server {
  const server = servers[index]
  if (server === undefined) throw new Error(`There is no server ${index}`)
  return server
}

function signedIn(visitor: Visitor): Record<string, string> {
  return { authorization: `Bearer ${visitor.accessToken}` }
}

function holding(visitor: Visitor): Record<string, string> {
  return { 'seatwise-ticket': visitor.ticketToken ?? '' }
}

/** What is made by it. A busy machine may make the server ask to come back, which every visitor does. */
async function created(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer['body']> {
  const { status, body } = await waitUntil('it is answered', async () => {
    const answer = await ask()
    return [202, 429, 503].includes(answer.status) ? null : answer
  })
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${JSON.stringify(body)}`)
  return body
}
