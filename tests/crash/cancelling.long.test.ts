import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import { createAccessTokens } from '@seatwise/server'
import { SECRET, type Server, StripeStandIn, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openEmbedded, openSale, reserve, type SaleOfShop, type Shop, send } from './shop.ts'

/** `kills` at each point. Embedded each of them waits for the lease of the dead server, and fewer do. */
const SCALES = { distributed: { orders: 1_000, kills: 20 }, embedded: { orders: 200, kills: 5 } } as const
type Mode = keyof typeof SCALES
const PRICE = 4_500
/** Buyers who are served at the same time. */
const AT_ONCE = 4
/** Each server continues when the lease of the dead one is over; the last point is reached after all refunds. */
const KILLED_MS_MAX = 600_000
const DONE_MS_MAX = 600_000
const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)
afterAll(() => http.close())

/**
 * In this order each point still has work when its turn comes: the first lies before the event is cancelled, those of the
 * refunds leave most orders for the next, and the last is reached only when every order is refunded.
 */
const CALLED_BEFORE: readonly FaultPoint[] = ['cancel.inside-transaction']
const WORKED: readonly FaultPoint[] = [
  'refund.inside-start',
  'refund.after-start',
  'refund.after-provider',
  'refund.inside-finish',
  'refund.after-finish',
  'cancel.after-refund',
]
const CALLED_AFTER: readonly FaultPoint[] = ['cancel.after-commit', 'cancel.after-line']
const WORKED_AT_LAST: readonly FaultPoint[] = ['cancel.before-done']
const POINTS = [...CALLED_BEFORE, ...WORKED, ...CALLED_AFTER, ...WORKED_AT_LAST]

test('[B142] all points of cancelling and refunding are tried', () => {
  expect(POINTS.toSorted()).toEqual([...faultPointsOf('cancel'), ...faultPointsOf('refund')].toSorted())
})

/** The sandbox's books are in the ledger. Stripe's are in a process that outlives every kill, and list each refund that was sent. */
test.concurrent.each([
  ['embedded', async () => ({ shop: await openEmbedded(), till: sandboxTill })],
  ['distributed', openWithStripe],
] as const)(
  '[B141] [B142] [B133] [B100] one large event is cancelled by servers that die again and again at each point (%s): every order is refunded once, papers have no gap, and all books agree',
  { timeout: 5_400_000 },
  async (mode, open) => {
    const { shop, till } = await open()
    const { orders, kills } = SCALES[mode]
    try {
      const sale = await openSale(shop.doomed, orders)
      await sell({ server: await shop.survivor(), sale, till }, orders)
      await alone(shop)
      await killEverywhere({ shop, sale, mode })
      await shop.doomed.restart({ SEATWISE_FAULTS: '' })
      expect(await outcomeOf(shop.doomed, sale)).toMatchObject({
        ...{ status: 'done', orders, refunded: orders, failed: 0, differences: 0 },
      })
      await waitUntil('every refund has its credit note', () => hasAllPapers(shop, mode), {
        timeoutMs: DONE_MS_MAX,
        everyMs: 2_000,
      })
      expect(await shop.readLedger((ledger) => booksOf(ledger, till))).toEqual(rightBooks(orders))
      console.info(
        `${mode}: an event of ${orders} orders was cancelled with ${kills} kills at each of ${POINTS.length} points`,
      )
    } finally {
      await shop.close()
      await till.close()
    }
  },
)

/** What one provider has taken and sent back. */
interface Book {
  readonly captured: number
  readonly refunded: number
  readonly refunds: number
}

interface Till {
  pay(server: Server, authorization: string, reservationId: string): Promise<void>
  books(ledger: Ledger): Promise<Book[]>
  close(): Promise<void>
}

const sandboxTill: Till = {
  async pay(server, authorization, reservationId) {
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const wish = { reservationId, paymentMethod: 'sandbox_ok' }
    await waitUntil('it is paid', async () => {
      const { status } = await send(server, 'POST', '/api/purchases', headers, wish)
      return status === 201
    })
  },
  books: ({ db }) =>
    ask<Book>(
      db,
      `select sum(captured)::int as captured, sum(refunded)::int as refunded,
              (select count(*)::int from sandbox_refunds) as refunds
         from sandbox_payments`,
    ),
  close: async () => undefined,
}

/** Nothing is told by webhooks: a retry of the purchase asks Stripe. */
async function openWithStripe(): Promise<{ shop: Shop; till: Till }> {
  const standIn = await StripeStandIn.open()
  const till: Till = {
    async pay(server, authorization, reservationId) {
      const headers = { authorization, 'idempotency-key': randomUUID() }
      const buy = () => send(server, 'POST', '/api/purchases', headers, { reservationId })
      const url = await waitUntil('Stripe has a page for it', async () => {
        const { body } = await buy()
        return typeof body.action === 'object' && body.action !== null && 'url' in body.action ? body.action.url : null
      })
      standIn.act(String(url).split('/').at(-1) ?? '', 'pay')
      await waitUntil('it is paid', async () => (await buy()).status === 201)
    },
    async books() {
      const books = standIn.books()
      const sum = (of: 'captured' | 'refunded') => books.reduce((total, book) => total + book[of], 0)
      return [{ captured: sum('captured'), refunded: sum('refunded'), refunds: standIn.refunds.length }]
    },
    close: () => standIn.close(),
  }
  const site = { SEATWISE_PUBLIC_URL: 'https://tickets.example.com' }
  return { shop: await openDistributed({ ...standIn.settings, ...site }), till }
}

interface Seller {
  readonly server: Server
  readonly sale: SaleOfShop
  readonly till: Till
}

async function sell({ server, sale, till }: Seller, orders: number): Promise<void> {
  const buyers = Array.from({ length: orders }, () => tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada' }))
  const left = buyers.values()
  const sellNext = async (): Promise<void> => {
    for (const { accessToken } of left) {
      const authorization = `Bearer ${accessToken}`
      await till.pay(server, authorization, await reserve(server, sale, authorization))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sellNext))
}

/** Only the server that dies is left: no other one does the work meanwhile. */
async function alone(shop: Shop): Promise<void> {
  const other = await shop.survivor()
  if (other !== shop.doomed) await other.kill()
}

interface Doom {
  readonly shop: Shop
  readonly sale: SaleOfShop
  readonly mode: Mode
}

async function killEverywhere(doom: Doom): Promise<void> {
  const { sale, mode } = doom
  const server = doom.shop.doomed
  const again = async (point: FaultPoint, call?: () => Promise<unknown>): Promise<void> => {
    for (let count = 0; count < SCALES[mode].kills; count += 1) await killed(doom, point, call)
  }
  // An operator who got no answer cancels again; the server dies of that, too.
  for (const point of CALLED_BEFORE) await again(point, () => cancel(server, sale))
  await server.restart({ SEATWISE_FAULTS: '' })
  await cancel(server, sale)
  for (const point of WORKED) await again(point)
  for (const point of CALLED_AFTER) await again(point, () => cancel(server, sale))
  // Before the first of these the server refunds what is left.
  for (const point of WORKED_AT_LAST) await again(point)
}

/** Starts the server with the point armed, and waits until it died there. */
async function killed({ shop, mode }: Doom, point: FaultPoint, call?: () => Promise<unknown>): Promise<void> {
  const server = shop.doomed
  // The next server would wait for the lease of the dead one, a thousand seconds in all; tests/crash/refunds.test.ts does.
  if (mode === 'distributed') {
    await shop.readLedger(({ db }) => ask(db, 'update cancellations set leased_until = clock_timestamp()'))
  }
  await server.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = server
  // It may have died by then, of the work that it found.
  await call?.().catch(() => undefined)
  const bound = AbortSignal.timeout(KILLED_MS_MAX)
  const late = new Promise<never>((_, reject) => {
    bound.addEventListener('abort', () => reject(new Error(`The server did not reach ${point}`)), { once: true })
  })
  await Promise.race([exited, late])
}

const cancelPath = ({ eventId }: SaleOfShop): string => `/api/events/${eventId}/cancel`
const asAdmin = async (server: Server) => ({ authorization: `Bearer ${await server.adminToken()}` })

async function cancel(server: Server, sale: SaleOfShop): Promise<void> {
  const { status } = await send(server, 'POST', cancelPath(sale), await asAdmin(server), { message: 'Rain' })
  expect(status).toBe(202)
}

async function outcomeOf(server: Server, sale: SaleOfShop): Promise<Record<string, unknown>> {
  const headers = await asAdmin(server)
  return await waitUntil(
    'the work is done',
    async () => {
      const { body } = await send(server, 'GET', cancelPath(sale), headers)
      return body.status === 'done' ? body : null
    },
    { timeoutMs: DONE_MS_MAX, everyMs: 500 },
  )
}

/** An embedded ledger is read when the server has stopped; it then numbers on. */
async function hasAllPapers(shop: Shop, mode: Mode): Promise<true | null> {
  const papers = await shop.readLedger(async ({ db }) => (await ask<{ count: number }>(db, COUNT_PAPERS))[0]?.count)
  if (papers === 2 * SCALES[mode].orders) return true
  if (mode === 'embedded') await shop.survivor()
  return null
}

const COUNT_PAPERS = 'select count(*)::int as count from receipts'

const rightBooks = (orders: number) => ({
  purchases: [{ status: 'REFUNDED', orders, captured: orders * PRICE, refunded: orders * PRICE }],
  refunds: [{ state: 'DONE', refunds: orders, purchases: orders, amount: orders * PRICE }],
  theirs: [{ captured: orders * PRICE, refunded: orders * PRICE, refunds: orders }],
  papers: [
    { kind: 'credit_note', papers: orders, purchases: orders },
    { kind: 'receipt', papers: orders, purchases: orders },
  ],
  numbers: [{ lowest: 1, highest: 2 * orders, numbers: 2 * orders }],
  seats: [{ status: 'available', seats: orders }],
})

/** Our purchases, our refunds, the provider's own books, the numbered papers and the seats. */
async function booksOf(ledger: Ledger, till: Till): Promise<object> {
  const { db } = ledger
  return {
    purchases: await ask(
      db,
      `select status, count(*)::int as orders, sum(captured)::int as captured, sum(refunded)::int as refunded
         from purchases group by status`,
    ),
    refunds: await ask(
      db,
      `select state, count(*)::int as refunds, count(distinct purchase_id)::int as purchases, sum(amount)::int as amount
         from refunds group by state`,
    ),
    theirs: await till.books(ledger),
    papers: await ask(
      db,
      `select kind, count(*)::int as papers, count(distinct purchase_id)::int as purchases
         from receipts group by kind order by kind`,
    ),
    numbers: await ask(
      db,
      `select min(number)::int as lowest, max(number)::int as highest, count(distinct number)::int as numbers
         from receipts`,
    ),
    seats: await ask(db, 'select status, count(*)::int as seats from seats group by status'),
  }
}

const ask = <Row>(db: Ledger['db'], sql: string) => runStatement<Row>(db, { name: 'a test', sql }, [])
