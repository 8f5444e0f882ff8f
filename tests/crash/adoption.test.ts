import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import { createAccessTokens } from '@seatwise/server'
import { SECRET, type Server, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openEmbedded, openSale, reserve, type SaleOfShop, type Shop, send } from './shop.ts'

/** Each point once in each of the two modes, or ten times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 10 : 1
const PASSWORD = 'correct horse battery staple'

const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)
afterAll(() => http.close())

/** A guest who has paid in one sale and holds a seat in another, and the account that they sign in to. */
interface Guest {
  readonly id: string
  readonly token: string
  readonly email: string
  readonly account: string
  readonly pending: string
  /** Where to read each thing that the guest owns. */
  readonly belongings: readonly string[]
}

test.concurrent.each([
  ['embedded', openEmbedded],
  ['distributed', openDistributed],
] as const)(
  `[A45][A48][I31] servers killed with -9 at every point of an adoption (%s), ${ROUNDS} times each: all of the guest’s things moved or none, and the same sign-in completes it`,
  { timeout: ROUNDS * 120_000 },
  async (_, open) => {
    const shop = await open()
    try {
      const sales = [await openSale(shop.doomed), await openSale(shop.doomed)] as const
      const adopted: Guest[] = []
      for (let round = 0; round < ROUNDS; round += 1) adopted.push(...(await crashEverywhere(shop, sales)))
      expect(await shop.readLedger((ledger) => leftBehind(ledger, adopted))).toEqual([])
    } finally {
      await shop.close()
    }
  },
)

/** One guest for each point: all are ready before the first crash and are looked at after the last, which saves starts. */
async function crashEverywhere(shop: Shop, sales: readonly [SaleOfShop, SaleOfShop]): Promise<Guest[]> {
  const alive = await shop.survivor()
  const points = faultPointsOf('adopt')
  const ready = await Promise.all(points.map(async (point) => ({ point, guest: await guestWithThings(alive, sales) })))
  for (const { point, guest } of ready) await signInAndCrash(shop, guest, point)
  const survivor = await shop.survivor()
  await Promise.all(
    ready.map(async ({ point, guest }) => {
      await expectOwner(survivor, guest, point === 'adopt.inside-transaction' ? 'guest' : 'account')
      await completeAdoption(survivor, guest)
    }),
  )
  return ready.map(({ guest }) => guest)
}

async function signInAndCrash(shop: Shop, guest: Guest, point: FaultPoint): Promise<void> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  await expect(signIn(shop.doomed, guest)).rejects.toThrow()
  await exited
}

/** The same sign-in again, twice: the answer is the same, and what was pending can be paid. */
async function completeAdoption(server: Server, guest: Guest): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    expect(await signIn(server, guest)).toMatchObject({ status: 200, body: { canceled: [] } })
    await expectOwner(server, guest, 'account')
  }
  const paid = await pay(server, guest.account, { reservationId: guest.pending, key: randomUUID() })
  expect(paid).toMatchObject({ status: 201, body: { status: 'PAID' } })
}

async function guestWithThings(server: Server, [first, second]: readonly [SaleOfShop, SaleOfShop]): Promise<Guest> {
  const id = randomUUID()
  const token = tokens.issue({ id, role: 'guest' }).accessToken
  const authorization = `Bearer ${token}`
  const bought = await reserve(server, first, authorization)
  const key = randomUUID()
  await send(server, 'PATCH', `/api/reservations/${bought}`, { authorization }, { email: 'ada@example.com' })
  const { status, body: purchase } = await pay(server, authorization, { reservationId: bought, key })
  expect(status).toBe(201)
  const etickets = purchase.etickets as { id: string }[]
  const pending = await reserve(server, second, authorization)
  const email = `${randomUUID()}@example.com`
  const { body } = await send(server, 'POST', '/api/auth/register', {}, { email, password: PASSWORD, name: 'Ada' })
  return {
    ...{ id, token, email, pending },
    account: `Bearer ${String(body.accessToken)}`,
    belongings: [
      ...[bought, pending].map((reservation) => `/api/reservations/${reservation}`),
      ...etickets.map((eticket) => `/api/etickets/${eticket.id}`),
      ...[`/api/purchases/${String(purchase.id)}`, `/api/operations/${key}`],
    ],
  }
}

/** `owner` has everything, the other identity nothing. An adopted guest is refused within 2 s on every server. */
async function expectOwner(server: Server, guest: Guest, owner: 'guest' | 'account'): Promise<void> {
  const asGuest = `Bearer ${guest.token}`
  const answersTo = async (authorization: string): Promise<number[]> => {
    const answers = await Promise.all(guest.belongings.map((path) => send(server, 'GET', path, { authorization })))
    return answers.map(({ status }) => status)
  }
  const all = guest.belongings.map(() => 200)
  if (owner === 'account') {
    await waitUntil('the guest is refused', async () => (await answersTo(asGuest)).every((status) => status === 401))
    expect(await answersTo(guest.account)).toEqual(all)
  } else {
    expect(await answersTo(asGuest)).toEqual(all)
    expect(await answersTo(guest.account)).not.toContain(200)
  }
}

const signIn = (server: Server, { email, token }: Guest) =>
  send(server, 'POST', '/api/auth/login', { 'seatwise-guest': token }, { email, password: PASSWORD })

const pay = (server: Server, authorization: string, { reservationId, key }: { reservationId: string; key: string }) =>
  send(...([server, 'POST', '/api/purchases', { authorization, 'idempotency-key': key }] as const), {
    reservationId,
    paymentMethod: 'sandbox_ok',
  })

/** What the ledger still has of guests who were adopted, under any owner's column. */
async function leftBehind({ db }: Ledger, guests: readonly Guest[]): Promise<unknown[]> {
  const sql = `
    select 'reservation' as what, id::text from reservations where buyer_id = any($1::uuid[])
     union all select 'purchase', id::text from purchases where actor_id = any($1::uuid[])
     union all select 'operation', key from operations where actor_id = any($1::uuid[])`
  return await runStatement(db, { name: 'a test', sql }, [guests.map(({ id }) => id)])
}
