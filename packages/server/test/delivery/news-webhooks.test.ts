import { createHmac, randomBytes } from 'node:crypto'
import { finishDelivery, handOutNews, type Ledger, leaseDeliveries } from '@seatwise/ledger'
import { firingAlerts, forEachLedger, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { NewsOptions } from '../../src/delivery/outbox/open-news.ts'
import { createWebhookSecrets } from '../../src/delivery/webhooks/webhook-secret.ts'
import { openSigningKeys, type SigningKeys } from '../../src/identity/keys/signing-keys.ts'
import { buy, makeUser, makeWebhook, Receiver, SECRETS, startNews, type TestNews } from '../support/news.ts'

const WHOLE_STORY = ['reservation.created', 'purchase.started', 'purchase.paid']

forEachLedger('news by webhook', (open) => {
  let ledger: Ledger
  let keys: SigningKeys
  let receiver: Receiver
  const running: TestNews[] = []

  beforeAll(async () => {
    ledger = await open()
    keys = await openSigningKeys(ledger, SECRETS, Date.now)
  })
  beforeEach(async () => {
    receiver = await Receiver.open()
  })
  afterEach(async () => {
    for (const news of running.splice(0)) await news.close()
    await receiver.close()
    await ledger.db.deleteFrom('webhooks').execute()
  })

  const start = (options: Partial<NewsOptions> = {}): TestNews => {
    const news = startNews(ledger, keys, options)
    running.push(news)
    return news
  }
  const told = (reservationId: string, types = WHOLE_STORY) =>
    waitUntil('the whole story is told', () => receiver.typesOf(reservationId).length >= types.length)

  it('[B36] [B37] an organiser hears the story of a purchase in order, signed as Standard Webhooks says', async () => {
    const organizerId = await makeUser(ledger, 'organizer')
    const { secret } = await makeWebhook(ledger, receiver.url, organizerId)
    const stranger = await Receiver.open()
    await makeWebhook(ledger, stranger.url, await makeUser(ledger, 'organizer'))
    start()
    const { reservationId, purchaseId } = await buy(ledger, { organizerId })
    await told(reservationId)

    expect(receiver.typesOf(reservationId)).toEqual(WHOLE_STORY)
    const [, , paid] = receiver.calls
    expect(paid?.data).toMatchObject({ id: purchaseId, status: 'PAID', reservationId })
    expect(paid?.data).not.toHaveProperty('operationKey')
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = paid?.headers ?? {}
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(timestamp)}.${paid?.body}`)
      .digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    expect(Math.abs(Number(timestamp) * 1_000 - Date.now())).toBeLessThan(60_000)
    expect(stranger.calls).toEqual([])
    await stranger.close()
  })

  it('[B36] a failed delivery is retried under the same id, and no later news of the reservation overtakes it', async () => {
    await makeWebhook(ledger, receiver.url)
    let failures = 2
    receiver.answer((response, { type }) => {
      const isBad = type === 'purchase.started' && failures > 0
      if (isBad) failures -= 1
      response.writeHead(isBad ? 500 : 200).end()
    })
    const news = start()
    const { reservationId } = await buy(ledger)
    await waitUntil('it is delivered', () => receiver.typesOf(reservationId).includes('purchase.paid'))
    const [created, started, paid] = WHOLE_STORY
    expect(receiver.typesOf(reservationId)).toEqual([created, started, started, started, paid])
    const ids = receiver.calls.filter(({ type }) => type === started).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    await waitUntil('it is counted', async () =>
      (await news.metrics.metrics()).includes('{kind="webhook",outcome="failed"} 2'),
    )
  })

  it('[B36] [Y133] undeliverable news is set aside with an alarm, and the rest goes on; SeatwiseNewsSetAside fires', async () => {
    await makeWebhook(ledger, receiver.url)
    receiver.answer((response, { type }) => response.writeHead(type === 'purchase.started' ? 500 : 200).end())
    const news = start()
    const { reservationId } = await buy(ledger)
    await waitUntil('the next one passes', () => receiver.typesOf(reservationId).includes('purchase.paid'))
    expect(receiver.typesOf(reservationId).filter((type) => type === 'purchase.started')).toHaveLength(4)
    expect(await news.metrics.metrics()).toContain('{kind="webhook",outcome="set_aside"} 1')
    const alarm = news.logged.find((line) => line.includes('set aside'))
    expect(JSON.parse(alarm ?? '{}')).toMatchObject({ level: 50, reservation: reservationId, attempts: 4 })
    // Those that count look once a minute; one that starts looks at once.
    const { metrics } = start()
    const text = await waitUntil('it is counted', async () => {
      const told = await metrics.metrics()
      return /^seatwise_news_set_aside [1-9]/m.test(told) ? told : null
    })
    const scrapes = [0, 150, 300].map((atSeconds) => ({ atSeconds, text }))
    expect(firingAlerts(scrapes.slice(0, 2))).toEqual([])
    expect(firingAlerts(scrapes)).toEqual(['SeatwiseNewsSetAside'])
  })

  it('[B36] three servers at once deliver all news, in order, and none twice while no server dies', async () => {
    await makeWebhook(ledger, receiver.url)
    for (let server = 0; server < 3; server += 1) start()
    const bought = await Promise.all(Array.from({ length: 10 }, () => buy(ledger)))
    for (const { reservationId } of bought) await told(reservationId)
    for (const { reservationId } of bought) expect(receiver.typesOf(reservationId)).toEqual(WHOLE_STORY)
  })

  it('[B36 control] [I23] a courier that dies while delivering loses news only if it records the delivery before sending', async () => {
    await makeWebhook(ledger, receiver.url)
    const takeAndDie = async (notes: 'nothing' | 'first'): Promise<string> => {
      const { reservationId } = await buy(ledger)
      while ((await handOutNews(ledger.db, { newsMax: 100, mailTypes: [] })) > 0);
      const taken = await leaseDeliveries(ledger.db, { kind: 'webhook', max: 100, leaseSeconds: 0 })
      const mine = taken.find((delivery) => delivery.reservationId === reservationId)
      if (mine === undefined) throw new Error('The first news of the reservation was not to be delivered')
      if (notes === 'first') await finishDelivery(ledger.db, mine)
      return reservationId
    }
    const lost = await takeAndDie('first')
    const kept = await takeAndDie('nothing')
    start()
    await told(kept)
    await waitUntil('the rest is told', () => receiver.typesOf(lost).includes('purchase.paid'))
    expect(receiver.typesOf(kept)).toEqual(WHOLE_STORY)
    expect(receiver.typesOf(lost)).toEqual(WHOLE_STORY.slice(1))
  })

  it('[B37] a redirect is a failure and is not followed', async () => {
    const inside = await Receiver.open()
    await makeWebhook(ledger, receiver.url)
    const { url: location } = inside
    receiver.answer((response) => response.writeHead(302, { location }).end())
    const news = start()
    await buy(ledger)
    await waitUntil('it gave up', () => news.logged.some((line) => line.includes('set aside')))
    expect(news.logged.join()).toContain('redirects are not followed')
    expect(inside.calls).toEqual([])
    await inside.close()
  })

  it('[B37] no private address is called, whether given as an address or by a name that resolves differently later', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1']]
    const asked: string[] = []
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name)
      return answers[asked.length % answers.length] ?? []
    }
    await makeWebhook(ledger, receiver.url)
    await makeWebhook(ledger, `http://rebind.example:${receiver.port}/`)
    const pace = { pollMs: 20, retrySeconds: (attempts: number) => (attempts < 3 ? 0 : null), restSecondsMax: 0 }
    const news = start({ privateWebhooks: false, resolve, pace })
    await buy(ledger)
    await waitUntil('both gave up', () => news.logged.filter((line) => line.includes('set aside')).length >= 2, {
      timeoutMs: 60_000,
    })
    expect(news.logged.join()).toContain('is not on the public internet')
    expect(asked).toContain('rebind.example')
    expect(receiver.calls).toEqual([])
  })

  it('[B37] the secret is decrypted with an older key, and then encrypted with the newer one', async () => {
    const { id, secret } = await makeWebhook(ledger, receiver.url)
    const rotated = [randomBytes(32), ...SECRETS]
    const read = () => ledger.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const before = await read()
    start({ secrets: rotated })
    const { reservationId } = await buy(ledger)
    await told(reservationId)
    const after = await read()
    expect(after.sealed_with).not.toBe(before.sealed_with)
    const { id: id2, url, types, failures, owner_id: ownerId, created_at: createdAt } = after
    const sealed = { sealedSecret: after.sealed_secret, sealedWith: after.sealed_with }
    const webhook = { id: id2, organizationId: null, url, types, failures, ownerId, createdAt, ...sealed }
    const opened = await createWebhookSecrets(rotated.slice(0, 1), ledger).open(webhook)
    expect(`whsec_${opened.toString('base64')}`).toBe(secret)
  })
})
