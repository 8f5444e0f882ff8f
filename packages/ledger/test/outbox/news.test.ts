import { randomUUID } from 'node:crypto'
import {
  countWaitingNews,
  createWebhook,
  type Delivery,
  failDelivery,
  finishDelivery,
  forgetNews,
  handOutNews,
  type Ledger,
  leaseDeliveries,
  ownOrganizationOf,
  type Webhook,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { buySeats, type Paid } from '../etickets/paid-kit.ts'

const MAIL = ['purchase.paid']

forEachLedger('news', (open) => {
  let ledger: Ledger
  let paid: Paid
  let buyerId: string

  beforeAll(async () => {
    ledger = await open()
  })

  beforeEach(async () => {
    await sql`truncate events, users, outbox, members cascade`.execute(ledger.db)
    buyerId = await makeUser('buyer')
    // There is a subscriber, if not to this event: news without any subscriber is not even handed out.
    await makeWebhook(await makeUser('organizer'))
    paid = await buySeats(ledger, 1, buyerId)
  })

  it('[B36] without webhooks, reservation news does not wait for delivery', async () => {
    await ledger.db.deleteFrom('webhooks').execute()
    await handOut()
    const { reservationId } = await buySeats(ledger, 1)
    const waiting = await ledger.db
      .selectFrom('outbox')
      .select('type')
      .where('aggregateid', '=', reservationId)
      .where('handed_at', 'is', null)
      .orderBy('position')
      .execute()
    expect(waiting.map(({ type }) => type)).toEqual(['purchase.started', 'purchase.paid'])
  })

  it('[B36] news goes to the buyer who has an account, to the organiser and to admins, each once', async () => {
    const organizerId = await makeUser('organizer')
    const organizationId = await ownOrganizationOf(ledger.db, organizerId, organizerId)
    await ledger.db.updateTable('events').set({ organization_id: organizationId }).execute()
    const own = await makeWebhook(organizerId)
    const some = await makeWebhook(organizerId, ['purchase.paid'])
    const all = await makeWebhook(await makeUser('admin'))
    await makeWebhook(await makeUser('organizer'))
    await buySeats(ledger, 1) // By a guest, of an event without an owner.
    await handOut()
    await handOut()

    const sent = await ledger.db
      .selectFrom('deliveries')
      .innerJoin('outbox', 'outbox.position', 'deliveries.position')
      .select(['type', 'webhook_id', 'deliveries.aggregateid'])
      .orderBy('deliveries.position')
      .execute()
    const typesTo = (webhook: Webhook | null, reservationId = paid.reservationId) =>
      sent
        .filter((row) => row.webhook_id === (webhook?.id ?? null) && row.aggregateid === reservationId)
        .map(({ type }) => type)
    const everything = ['reservation.created', 'purchase.started', 'purchase.paid']
    expect(typesTo(own)).toEqual(everything)
    expect(typesTo(all)).toEqual(everything)
    expect(typesTo(some)).toEqual(['purchase.paid'])
    expect(typesTo(null)).toEqual(['purchase.paid'])
    expect(sent).toHaveLength(everything.length * 3 + 2)
  })

  it('[B36] of one reservation a receiver gets the oldest first, and the next when it is delivered', async () => {
    await makeWebhook(await makeUser('admin'))
    await handOut()
    const types: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const [delivery, ...others] = await take()
      expect(others).toEqual([])
      expect(await take()).toEqual([])
      if (delivery === undefined) break
      types.push(delivery.type)
      await finishDelivery(ledger.db, delivery)
    }
    expect(types).toEqual(['reservation.created', 'purchase.started', 'purchase.paid'])
    expect(await take()).toEqual([])
  })

  it('[B36] a receiver that is behind with one reservation still hears of others', async () => {
    await makeWebhook(await makeUser('admin'))
    await handOut()
    expect(await take()).toHaveLength(1)
    const other = await buySeats(ledger, 1)
    await handOut()
    expect((await take()).map(({ reservationId }) => reservationId)).toEqual([other.reservationId])
  })

  it('[B36] news that a courier took and did not deliver is taken again after the lease, not before', async () => {
    await handOut()
    const [first] = await take({ kind: 'mail', leaseSeconds: 0.05 })
    expect(first?.attempts).toBe(1)
    const again = await takeWhenDue({ kind: 'mail' })
    expect(again).toMatchObject({ id: first?.id, newsId: first?.newsId, attempts: 2 })
    // The first was only slow: what it says about its own attempt does not count any more.
    if (first !== undefined)
      await failDelivery(ledger.db, first, { problem: 'too late', retrySeconds: null, restSecondsMax: 60 })
    expect(await countWaitingNews(ledger.db)).toMatchObject({ setAside: 0 })
    await finishDelivery(ledger.db, again)
    expect(await countWaitingNews(ledger.db)).toEqual({ waiting: 0, setAside: 0 })
  })

  it('[B36] a failure is due again later; what is set aside lets the next one pass', async () => {
    const webhook = await makeWebhook(await makeUser('admin'))
    await handOut()
    const [first] = await take()
    if (first === undefined) throw new Error('Nothing was due')
    await failDelivery(ledger.db, first, { problem: 'no answer', retrySeconds: 3600, restSecondsMax: 60 })
    await rested(webhook)
    expect(await take()).toEqual([])
    await ledger.db
      .updateTable('deliveries')
      .set({ due_at: new Date(0) })
      .execute()
    const [second] = await take()
    expect(second).toMatchObject({ id: first.id, attempts: 2 })
    if (second !== undefined)
      await failDelivery(ledger.db, second, { problem: 'gone', retrySeconds: null, restSecondsMax: 60 })
    await rested(webhook)
    expect(await take()).toMatchObject([{ type: 'purchase.started' }])
    expect(await countWaitingNews(ledger.db)).toMatchObject({ setAside: 1 })
  })

  it('[B36] a failing webhook is paused, so that working ones are called; a success ends the pause', async () => {
    const dead = await makeWebhook(await makeUser('admin'))
    const alive = await makeWebhook(await makeUser('admin'))
    await handOut()
    const [one] = (await take()).filter(({ webhookId }) => webhookId === dead.id)
    if (one === undefined) throw new Error('Nothing was due')
    await ledger.db.updateTable('webhooks').set({ failures: 5 }).where('id', '=', dead.id).execute()
    await failDelivery(ledger.db, one, { problem: 'no answer', retrySeconds: 0, restSecondsMax: 60 })
    await buySeats(ledger, 1)
    await handOut()
    expect((await take()).map(({ webhookId }) => webhookId)).toEqual([alive.id])
    await finishDelivery(ledger.db, one)
    const { failures } = await ledger.db
      .selectFrom('webhooks')
      .select('failures')
      .where('id', '=', dead.id)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(0)
  })

  it('[B36] many servers at once hand out everything once and take nothing twice', async () => {
    for (let count = 0; count < 8; count += 1) await buySeats(ledger, 1, buyerId)
    await makeWebhook(await makeUser('admin'))
    await Promise.all(Array.from({ length: 10 }, handOut))
    await handOut()
    const taken = (await Promise.all(Array.from({ length: 10 }, () => take({ max: 3 })))).flat()
    expect(taken).toHaveLength(9)
    expect(new Set(taken.map(({ id }) => id)).size).toBe(9)
  })

  it('[B36] old news is deleted when no delivery waits for it any more', async () => {
    await handOut()
    await ledger.db
      .updateTable('outbox')
      .set({ created_at: new Date(0) })
      .execute()
    // The mail is still on its way, the other two have no recipient.
    expect(await forgetNews(ledger.db, { daysMax: 30, newsMax: 10 })).toBe(2)
    const mail = await takeWhenDue({ kind: 'mail' })
    await finishDelivery(ledger.db, mail)
    expect(await forgetNews(ledger.db, { daysMax: 30, newsMax: 10 })).toBe(1)
    expect(await ledger.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  const handOut = () => handOutNews(ledger.db, { newsMax: 100, mailTypes: MAIL })

  type Taking = { kind?: 'mail' | 'webhook'; max?: number; leaseSeconds?: number }
  async function take({ kind = 'webhook', max = 10, leaseSeconds = 60 }: Taking = {}): Promise<Delivery[]> {
    return await leaseDeliveries(ledger.db, { kind, max, leaseSeconds })
  }

  /** Asking is waiting: each question costs the ledger some time. */
  async function takeWhenDue(taking: Taking): Promise<Delivery> {
    for (let question = 0; question < 10_000; question += 1) {
      const [delivery] = await take(taking)
      if (delivery !== undefined) return delivery
    }
    throw new Error('Nothing came due')
  }

  /** Lets a webhook's rest be over. */
  async function rested({ id }: Webhook): Promise<void> {
    await ledger.db
      .updateTable('webhooks')
      .set({ rests_until: new Date(0) })
      .where('id', '=', id)
      .execute()
  }

  async function makeUser(role: 'buyer' | 'organizer' | 'admin'): Promise<string> {
    const id = randomUUID()
    const email = `${id}@example.com`
    await ledger.db
      .insertInto('users')
      .values({ id, email, email_key: email, password_hash: '', name: 'Ada', role })
      .execute()
    return id
  }

  async function makeWebhook(ownerId: string, types: string[] = []): Promise<Webhook> {
    const sealed = { sealedSecret: 'sealed', sealedWith: 'key' }
    const account = ledger.db.selectFrom('users').select('role').where('id', '=', ownerId)
    const { role } = await account.executeTakeFirstOrThrow()
    const organizationId = role === 'admin' ? null : await ownOrganizationOf(ledger.db, ownerId, ownerId)
    const webhook = await createWebhook(
      ledger.db,
      { id: randomUUID(), organizationId, ownerId, url: 'https://example.com/', types, ...sealed },
      20,
    )
    if (webhook === null) throw new Error('Too many webhooks')
    return webhook
  }
})
