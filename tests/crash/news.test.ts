import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cancelReservation, claimSeats, type Ledger, openLedger } from '@seatwise/ledger'
import { expectFields, postgresDatabase, type Server, shape, startServer, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 2
const STORY = ['reservation.created', 'reservation.canceled']
const RESERVATIONS = 3
/** What is sent in a round, if no server dies. */
const NEWS = RESERVATIONS * STORY.length

interface Heard {
  readonly id: string
  readonly type: string
  readonly reservationId: string
}

describe('servers killed with -9 while they tell the news', () => {
  const undo: (() => Promise<unknown>)[] = []
  const heard: Heard[] = []
  let server: Server
  let ledger: Ledger
  let sale: { eventId: string; roomId: string; seatTypeId: string }

  beforeAll(async () => {
    const database = await postgresDatabase('migrated')
    undo.push(() => database.drop())
    const receiver = await startReceiver(heard)
    undo.push(() => stopReceiver(receiver))
    server = await startServer({
      ...{ mode: 'distributed', databaseUrl: database.url },
      env: { SEATWISE_PRIVATE_WEBHOOKS: 'on' },
    })
    undo.push(() => server.discard())
    ledger = await openLedger({ kind: 'postgres', url: database.url })
    undo.push(() => ledger.close())
    sale = await openSale(server, ledger, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
  }, 120_000)
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  for (const point of ['outbox.before-send', 'outbox.after-send'] as const) {
    test(`[I23][B36] a crash at ${point} loses no news and no order, ${ROUNDS} times`, {
      timeout: ROUNDS * 120_000,
    }, async () => {
      let repeated = 0
      for (let round = 1; round <= ROUNDS; round += 1) {
        const nth = 1 + (round % NEWS)
        await server.restart({ SEATWISE_FAULTS: `${point}=crash@${nth}` })
        const { exited } = server
        const reservations = await Promise.all(Array.from({ length: RESERVATIONS }, () => comeAndGo(ledger, sale)))
        await exited
        // The lease of the dead server has expired; another test shows that no server takes it before.
        await ledger.db
          .updateTable('deliveries')
          .set({ due_at: new Date(0) })
          .where('delivered_at', 'is', null)
          .execute()
        await server.restart()
        for (const reservationId of reservations) repeated += await toldInOrder(reservationId)
      }
      // At least once is not exactly once: what was sent and not marked is sent again, under the same id.
      if (point === 'outbox.after-send') expect(repeated).toBeGreaterThan(0)
    })
  }

  /** Returns how often something was told again. */
  async function toldInOrder(reservationId: string): Promise<number> {
    const ofThis = () => heard.filter((one) => one.reservationId === reservationId)
    await waitUntil('the whole story is told', () => ofThis().some(({ type }) => type === STORY[1]), {
      timeoutMs: 30_000,
    })
    const first = new Map(ofThis().map(({ id, type }) => [id, type]))
    expect([...first.values()]).toEqual(STORY)
    return ofThis().length - first.size
  }
})

async function openSale(server: Server, ledger: Ledger, webhookUrl: string) {
  const headers = { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return expectFields(await answer.json(), { id: shape.text })
  }
  await post('/api/webhooks', { url: webhookUrl })
  const window = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
  const { id: eventId } = await post('/api/events', { name: 'Aurora Live', totalSeats: 1_000, ...window })
  const { id: roomId } = await ledger.db
    .selectFrom('rooms')
    .select('id')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  const { id: seatTypeId } = await ledger.db
    .selectFrom('seat_types')
    .select('id')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return { eventId, roomId, seatTypeId }
}

let lastTicket = 1_000_000

/** A reservation that is made and given up: two news. Returns its id. */
async function comeAndGo(
  ledger: Ledger,
  { eventId, roomId, seatTypeId }: { eventId: string; roomId: string; seatTypeId: string },
): Promise<string> {
  const [reservationId, buyerId] = [randomUUID(), randomUUID()]
  lastTicket += 1
  await claimSeats(ledger, eventId, [
    {
      operation: { actorId: buyerId, key: randomUUID(), fingerprint: '' },
      ...{ reservationId, buyerId, roomId, ticketNumber: lastTicket, fence: lastTicket },
      ...{ wish: { seatTypeId, quantity: 1 }, holdSeconds: 300, seatsPerBuyerMax: 6 },
    },
  ])
  const canceled = await cancelReservation(ledger, { reservationId, buyerId })
  if (canceled.status !== 'canceled') throw new Error(`Not canceled: ${canceled.status}`)
  return reservationId
}

const WEBHOOK_CALL = { type: shape.text, data: shape.fields({ id: shape.text }) }

async function startReceiver(heard: Heard[]): Promise<HttpServer> {
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { type, data } = expectFields(JSON.parse(Buffer.concat(chunks).toString()), WEBHOOK_CALL)
    heard.push({ id: String(request.headers['webhook-id']), type, reservationId: data.id })
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  return receiver
}

async function stopReceiver(receiver: HttpServer): Promise<void> {
  receiver.closeAllConnections()
  receiver.close()
  await once(receiver, 'close')
}
