import { randomUUID } from 'node:crypto'
import type { Change, LogEntry } from '@seatwise/domain'
import { ROOM_DEFAULTS, readEventDraft } from '@seatwise/domain'
import {
  beginEpoch,
  copyLog,
  createEvent,
  handOutTickets,
  type Ledger,
  listSetAside,
  TICKET_NEWS_TYPES,
} from '@seatwise/ledger'
import { expectFields, forEachLedger, shape, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ticketItems } from '../../src/delivery/webhooks/ticket-items.ts'
import { openSigningKeys, type SigningKeys } from '../../src/identity/keys/signing-keys.ts'
import { ticketId } from '../../src/rooms/tokens/ticket-token.ts'
import {
  makeUser,
  makeWebhook,
  organizationOf,
  Receiver,
  SECRETS,
  soldBy,
  startNews,
  type TestNews,
} from '../support/news.ts'

const ITEM = shape.fields({
  ...{ type: shape.text, ticketId: shape.text, eventId: shape.text, at: shape.text },
  reason: shape.optional(shape.text),
})
const ITEMS = shape.listOf(ITEM)
type Item = ReturnType<typeof ITEM>

const JOIN = { class: 0, place: 1, rank: 0, code: null, limitKey: null, shown: null, profile: '{}' } as const

/** The room of an event, with a log that the test writes as a follower does. */
class LoggedRoom {
  readonly id: string
  readonly eventId: string
  readonly #ledger: Ledger
  #epoch = 0
  #seq = 0

  static async open(ledger: Ledger, organizerId: string | null): Promise<LoggedRoom> {
    const window = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
    const draft = readEventDraft({ name: 'Aurora Live', totalSeats: 10, ...window })
    const event = await createEvent(ledger.db, { draft, ...(await soldBy(ledger, organizerId)), newId: randomUUID })
    const room = new LoggedRoom(ledger, event.roomId, event.id)
    await room.begin()
    return room
  }

  constructor(ledger: Ledger, id: string, eventId: string) {
    this.#ledger = ledger
    this.id = id
    this.eventId = eventId
  }

  async begin(): Promise<void> {
    const begun = await beginEpoch(this.#ledger.db, {
      ...{ room: this.id, lostEpoch: this.#epoch, reason: 'test', unseenMax: 0 },
    })
    this.#epoch = begun.epoch
    this.#seq = 0
    const rules = { settings: ROOM_DEFAULTS, paused: false, soldOut: false, opensAt: 0, closesAt: 4e12, stock: null }
    await this.write({ kind: 'opened', reason: 'test', nextNumber: 1, waiting: 0, floor: 0, rules })
  }

  async write(...changes: Change[]): Promise<void> {
    const entries = changes.map((change): LogEntry => {
      this.#seq += 1
      return { epoch: this.#epoch, seq: this.#seq, at: 1_800_000_000_000 + this.#seq, operation: 'test', change }
    })
    expect(await copyLog(this.#ledger, this.id, entries)).toMatchObject({ status: 'copied' })
  }

  async crowd(first: number, count: number): Promise<void> {
    const joins = Array.from({ length: count }, (_, index): Change => {
      const number = first + index
      return { kind: 'joined', number, identity: `visitor-${number}`.padEnd(16, '-'), ...JOIN, place: number }
    })
    await this.write(...joins)
  }
}

forEachLedger('ticket news by webhook', (open) => {
  let ledger: Ledger
  let keys: SigningKeys
  let receiver: Receiver
  let organizerId: string
  const running: TestNews[] = []

  beforeAll(async () => {
    ledger = await open()
    keys = await openSigningKeys(ledger, SECRETS, Date.now)
    organizerId = await makeUser(ledger, 'organizer')
  })
  beforeEach(async () => {
    receiver = await Receiver.open()
  })
  afterEach(async () => {
    for (const news of running.splice(0)) await news.close()
    await receiver.close()
    await ledger.db.deleteFrom('webhooks').execute()
  })

  const start = (): TestNews => {
    const news = startNews(ledger, keys)
    running.push(news)
    return news
  }
  const itemsOf = (calls = receiver.calls): Item[] => calls.flatMap(({ data }) => ITEMS(data.items, 'items'))
  const heard = (count: number) => waitUntil(`${count} items came`, () => itemsOf().length >= count)

  it('[B69] a webhook that names them hears what happened to tickets, many in one signed call', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    await room.crowd(1, 2)
    await makeWebhook(ledger, receiver.url, organizerId, TICKET_NEWS_TYPES)
    // What happened before the webhook was created is not told.
    await room.crowd(3, 3)
    await room.write(
      { kind: 'admitted', number: 3, class: 0, fence: 7, deadline: 4e12, active: false },
      { kind: 'entered', number: 3, deadline: 4e12 },
      { kind: 'completed', number: 3 },
      { kind: 'expired', numbers: [4], reason: 'no_show', ranks: null },
    )
    start()
    await heard(7)
    expect(itemsOf().map(({ type, ticketId: id }) => [type, id])).toEqual([
      ...[3, 4, 5].map((number) => ['ticket.joined', ticketId(room.id, number)]),
      ...['admitted', 'active', 'completed'].map((what) => [`ticket.${what}`, ticketId(room.id, 3)]),
      ['ticket.expired', ticketId(room.id, 4)],
    ])
    const last = itemsOf().at(-1)
    expect(last).toMatchObject({ eventId: room.eventId, reason: 'no_show', at: expect.stringMatching(/^2027-.*Z$/) })
    const [call] = receiver.calls
    expect(call).toMatchObject({ type: 'tickets' })
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'tickets', timestamp: expect.any(String) })
    expect(call?.headers['webhook-signature']).toMatch(/^v1,/)
  })

  it('[B69] only to webhooks that name the type, of the organiser or an admin', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    const silent = [
      await makeWebhook(ledger, receiver.url, organizerId),
      await makeWebhook(ledger, receiver.url, await makeUser(ledger, 'organizer'), TICKET_NEWS_TYPES),
    ]
    const named = await makeWebhook(ledger, receiver.url, undefined, ['ticket.expired', 'purchase.paid'])
    await room.crowd(1, 3)
    await room.write({ kind: 'expired', numbers: [2], reason: 'cancelled', ranks: [1] })
    while (await handOutTickets(ledger.db, ticketItems));
    const written = await ledger.db
      .selectFrom('deliveries')
      .select('webhook_id')
      .where(
        'webhook_id',
        'in',
        [...silent, named].map(({ id }) => id),
      )
      .execute()
    expect(written).toEqual([{ webhook_id: named.id }])
    start()
    await heard(1)
    expect(itemsOf().map(({ type }) => type)).toEqual(['ticket.expired'])
  })

  it('[B69] one call carries at most 500, in order, and a room made later is told from its beginning', async () => {
    await makeWebhook(ledger, receiver.url, organizerId, ['ticket.joined'])
    const room = await LoggedRoom.open(ledger, organizerId)
    await room.crowd(1, 1_234)
    start()
    await heard(1_234)
    expect(receiver.calls.map(({ data }) => ITEMS(data.items, 'items').length)).toEqual([500, 500, 234])
    expect(itemsOf().map(({ ticketId: id }) => id)).toEqual(
      Array.from({ length: 1_234 }, (_, index) => ticketId(room.id, index + 1)),
    )
  })

  it('[B69] an entry about more tickets than fit into a call makes several calls', async () => {
    await makeWebhook(ledger, receiver.url, organizerId, ['ticket.expired'])
    const room = await LoggedRoom.open(ledger, organizerId)
    await room.crowd(1, 1_100)
    const numbers = Array.from({ length: 1_100 }, (_, index) => index + 1)
    await room.write({ kind: 'expired', numbers, reason: 'no_show', ranks: null })
    start()
    await heard(1_100)
    expect(receiver.calls.map(({ data }) => ITEMS(data.items, 'items').length)).toEqual([500, 500, 100])
    expect(new Set(itemsOf().map(({ ticketId: id }) => id)).size).toBe(1_100)
  })

  it('[B69] a receiver that fails is called again with the same id, and after a restart nothing is lost or out of order', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    await makeWebhook(ledger, receiver.url, organizerId, ['ticket.joined'])
    await room.crowd(1, 700)
    let refusals = 2
    receiver.answer((response) => response.writeHead(refusals-- > 0 ? 503 : 204).end())
    const first = start()
    await waitUntil('it was called three times', () => receiver.calls.length >= 3)
    const [one, two, three] = receiver.calls.map(({ headers }) => headers['webhook-id'])
    expect([two, three]).toEqual([one, one])
    await first.close()
    await room.crowd(701, 300)
    start()
    await heard(500 + 500 + 500 + 200 + 300)
    const told = new Set(itemsOf().map(({ ticketId: id }) => id))
    expect(told.size).toBe(1_000)
  })

  it('[B69] however many servers write calls at once, each entry is written into one call', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    const { id } = await makeWebhook(ledger, receiver.url, organizerId, ['ticket.joined'])
    await room.crowd(1, 2_000)
    const server = async (): Promise<void> => {
      for (let turn = 0; turn < 6; turn += 1) await handOutTickets(ledger.db, ticketItems)
    }
    await Promise.all(Array.from({ length: 5 }, server))
    // A server that finds another one at work goes away without doing anything.
    while (await handOutTickets(ledger.db, ticketItems));
    const calls = await ledger.db
      .selectFrom('outbox')
      .innerJoin('deliveries', 'deliveries.position', 'outbox.position')
      .select('payload')
      .where('webhook_id', '=', id)
      .orderBy('outbox.position')
      .execute()
    const told = calls.flatMap(({ payload }) => expectFields(payload, { items: ITEMS }).items)
    expect(told.map((item) => item.ticketId)).toEqual(
      Array.from({ length: 2_000 }, (_, index) => ticketId(room.id, index + 1)),
    )
  })

  it('[B69] a new epoch of the room goes on where the old one ended', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    await makeWebhook(ledger, receiver.url, organizerId, ['ticket.joined'])
    await room.crowd(1, 2)
    start()
    await heard(2)
    await room.begin()
    await room.crowd(3, 2)
    await heard(4)
    expect(itemsOf().map(({ ticketId: id }) => id)).toEqual([1, 2, 3, 4].map((number) => ticketId(room.id, number)))
  })

  it('[B69] a dead receiver is bounded: eight calls of a room wait, and what is given up is on the operator’s list', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    const { id } = await makeWebhook(ledger, receiver.url, organizerId, ['ticket.joined'])
    await room.crowd(1, 6_000)
    while (await handOutTickets(ledger.db, ticketItems));
    const waiting = await ledger.db.selectFrom('deliveries').select('id').where('webhook_id', '=', id).execute()
    expect(waiting).toHaveLength(8)
    receiver.answer((response) => response.writeHead(500).end())
    start()
    const aside = await waitUntil('one is set aside', async () => {
      const found = await listSetAside(ledger.db, {
        organizationIds: [(await organizationOf(ledger, organizerId)) ?? ''],
        id: null,
        max: 10,
      })
      return found.length > 0 ? found : null
    })
    expect(aside[0]).toMatchObject({ kind: 'webhook', webhookId: id, type: 'tickets', attempts: 4 })
  })

  it('[B69] delivered calls do not stay in the ledger', async () => {
    const room = await LoggedRoom.open(ledger, organizerId)
    const { id } = await makeWebhook(ledger, receiver.url, organizerId, ['ticket.joined'])
    await room.crowd(1, 1_500)
    start()
    await heard(1_500)
    await room.crowd(1_501, 1)
    await heard(1_501)
    await waitUntil('only the last may be left', async () => {
      const rows = await ledger.db.selectFrom('deliveries').select('id').where('webhook_id', '=', id).execute()
      return rows.length <= 1
    })
  })
})
