import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type EventBody, readEventDraft } from '@seatwise/domain'
import {
  claimSeats,
  confirmPayment,
  createEvent,
  createWebhook,
  type Eticket,
  followRole,
  HOUSE_ID,
  issueEtickets,
  type Ledger,
  type NamedAddressee,
  nameAddressee,
  startPayment,
} from '@seatwise/ledger'
import { expectFields, shape } from '@seatwise/testbench'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { createNewsMetrics } from '../../src/delivery/outbox/news-metrics.ts'
import { type News, type NewsOptions, openNews } from '../../src/delivery/outbox/open-news.ts'
import { createWebhookSecrets } from '../../src/delivery/webhooks/webhook-secret.ts'
import type { SigningKeys } from '../../src/identity/keys/signing-keys.ts'

export interface Bought {
  readonly eventId: string
  readonly reservationId: string
  readonly purchaseId: string
  readonly buyerId: string
  readonly etickets: readonly Eticket[]
}

export interface Buying {
  readonly quantity?: number
  readonly buyerId?: string
  readonly organizerId?: string | null
  readonly eventName?: string
  readonly addressee?: NamedAddressee
  /** Further fields of the event. */
  readonly facts?: Partial<EventBody>
}

let lastTicket = 0

/** Seats that were paid for, as the ledger's own operations do it. */
export async function buy(ledger: Ledger, buying: Buying = {}): Promise<Bought> {
  const { quantity = 1, buyerId = randomUUID(), organizerId = null, eventName: name = 'Aurora Live', facts } = buying
  const window = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
  const rows = [{ label: 'A', seats: quantity }]
  const seatTypes = [{ name: 'Stalls', price: 4500, currency: 'EUR', rows }]
  const usual = { name, location: 'Hà Nội', startsAt: '2026-12-24T19:30:00Z', ...window, seatTypes }
  const draft = readEventDraft({ ...usual, ...facts })
  const event = await createEvent(ledger.db, { draft, ...(await soldBy(ledger, organizerId)), newId: randomUUID })
  const seats = await ledger.db.selectFrom('seats').select('id').where('event_id', '=', event.id).execute()
  const reservationId = randomUUID()
  lastTicket += 1
  await claimSeats(ledger, event.id, [
    {
      operation: { actorId: buyerId, key: randomUUID(), fingerprint: '' },
      ...{ reservationId, buyerId, roomId: event.roomId, ticketNumber: lastTicket, fence: lastTicket },
      ...{ wish: { seatIds: seats.map(({ id }) => id) }, holdSeconds: 300, seatsPerBuyerMax: 10 },
    },
  ])
  if (buying.addressee !== undefined) {
    await nameAddressee(ledger.db, { reservationId, buyerId, ...buying.addressee })
  }
  return { ...(await pay(ledger, { reservationId, buyerId, amount: 4500 * quantity })), eventId: event.id, buyerId }
}

async function pay(ledger: Ledger, paying: { reservationId: string; buyerId: string; amount: number }) {
  const { reservationId, buyerId, amount: captured } = paying
  const purchaseId = randomUUID()
  const operation = { actorId: buyerId, key: randomUUID(), fingerprint: '' }
  await startPayment(ledger, {
    ...{ purchaseId, reservationId, buyerId, provider: 'sandbox', operation, paySeconds: 60, holdSecondsMax: 600 },
  })
  let etickets: readonly Eticket[] = []
  const outcome = await confirmPayment(ledger, {
    ...{ purchaseId, captured, providerRef: purchaseId, seatsPerBuyerMax: 10 },
    alongside: async (transaction, decided) => {
      if (decided.status === 'paid') etickets = await issueEtickets(transaction, decided.reservation)
      return null
    },
  })
  if (outcome.status !== 'paid') throw new Error(`Not paid: ${outcome.status}`)
  return { reservationId, purchaseId, etickets }
}

export async function makeUser(ledger: Ledger, role: 'buyer' | 'organizer' | 'admin', name = 'Ada'): Promise<string> {
  const id = randomUUID()
  const email = `${id}@example.com`
  await ledger.db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('users')
      .values({ id, email, email_key: email, password_hash: '', name, role })
      .execute()
    await followRole(transaction, { userId: id, before: 'buyer', role, by: id })
  })
  return id
}

/** What makes an event the event of an organizer. */
export async function soldBy(
  ledger: Ledger,
  organizerId: string | null,
): Promise<{ organizerId: string | null; organizationId: string }> {
  return { organizerId, organizationId: (await organizationOf(ledger, organizerId)) ?? HOUSE_ID }
}

/** The organization that an organizer owns; null for every other account. */
export async function organizationOf({ db }: Ledger, userId: string | null): Promise<string | null> {
  if (userId === null) return null
  const owned = db.selectFrom('members').select('organization_id').where('user_id', '=', userId)
  const row = await owned.where('role', '=', 'owner').where('organization_id', '<>', HOUSE_ID).executeTakeFirst()
  return row?.organization_id ?? null
}

export const SECRETS: readonly Buffer[] = [randomBytes(32)]

/** A webhook of an admin, who hears everything; returns the secret that its owner was shown. */
export async function makeWebhook(
  ledger: Ledger,
  url: string,
  ownerId?: string,
  types: readonly string[] = [],
): Promise<{ id: string; secret: string }> {
  const id = randomUUID()
  const { shown, ...sealed } = createWebhookSecrets(SECRETS, ledger).make(id)
  await createWebhook(
    ledger.db,
    {
      id,
      organizationId: await organizationOf(ledger, ownerId ?? null),
      ownerId: ownerId ?? (await makeUser(ledger, 'admin')),
      url,
      types,
      ...sealed,
    },
    20,
  )
  return { id, secret: shown }
}

export interface TestNews extends News {
  readonly metrics: Registry
  readonly logged: string[]
}

/** News that looks often and tries again at once. */
export function startNews(ledger: Ledger, keys: SigningKeys, options: Partial<NewsOptions> = {}): TestNews {
  const metrics = new Registry()
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
  const news = openNews({
    ...{ ledger, log, keys, secrets: SECRETS, mailer: null, now: Date.now, privateWebhooks: true },
    metrics: createNewsMetrics(metrics),
    pace: { pollMs: 20, retrySeconds: (attempts) => (attempts < 4 ? 0 : null), restSecondsMax: 0 },
    ...options,
  })
  news.start('https://tickets.example.com')
  return { ...news, metrics, logged }
}

export interface ReceivedCall {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly type: string
  readonly data: Record<string, unknown>
}

/** A receiver of webhooks on this machine. */
export class Receiver {
  readonly calls: ReceivedCall[] = []
  readonly #server: Server
  #answer: (response: ServerResponse, call: ReceivedCall) => void = (response) => response.writeHead(204).end()

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const { type, data } = expectFields(JSON.parse(body), { type: shape.text, data: shape.record })
      const call = { headers: request.headers, body, type, data }
      this.calls.push(call)
      this.#answer(response, call)
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/news`
  }

  answer(answer: (response: ServerResponse, call: ReceivedCall) => void): void {
    this.#answer = answer
  }

  typesOf(reservationId: string): string[] {
    return this.calls.filter(({ data }) => reservationOf(data) === reservationId).map(({ type }) => type)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const reservationOf = (data: Record<string, unknown>): unknown => data.reservationId ?? data.id
