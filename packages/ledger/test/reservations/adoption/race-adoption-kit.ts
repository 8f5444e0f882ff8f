import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import {
  type Claim,
  cancelReservation,
  expireReservations,
  type Ledger,
  readReservation,
  startPayment,
  storeAnswer,
} from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { expect } from 'vitest'
import {
  capture,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  moveDeadline,
  openStalls,
  openStanding,
  type Sale,
  seatId,
} from '../sale-kit.ts'
import { adopt, expectNothingLeft, makeAccount, seatsOwned } from './adoption-kit.ts'

const LIMIT = 6

/** What may become of what the guest holds, beside the adoption: each in turn, so that all of it surely happens. */
const FATES = ['expired', 'over the limit', 'paid', 'cancelled', 'random'] as const

/** What must have happened in some race, or the races proved nothing. */
export const WITNESSES = ['EXPIRED', 'CANCELED over the limit', 'PAID', 'CANCELED', 'claimed by the guest']

/**
 * A guest with a reservation in one event and an account with some seats of its own. Everything that may happen to them
 * happens at once; whatever comes first, the account owns all of it, and no more pending seats than it may.
 */
export async function raceAdoption(ledger: Ledger, race: number, random: () => number, witness: Set<string>) {
  const fate = FATES[race % FATES.length]
  const [account, rival] = [await makeAccount(ledger), await makeAccount(ledger)]
  const guest = randomUUID()
  const [first, second] = [await openStalls(ledger, 2, 10), await openStalls(ledger, 2, 10)]
  const quantity = 1 + Math.floor(random() * 4)
  const held = await hold(first, seatsFrom(first, 0, quantity), { buyerId: guest })
  const own = fate === 'over the limit' ? LIMIT : fate === 'random' ? 1 + Math.floor(random() * LIMIT) : 2
  const ownHeld = await hold(first, seatsFrom(first, 6, own), { buyerId: account.id })
  if (fate === 'expired') await moveDeadline(first, held, -1)
  if (fate === 'random') await moveDeadline(first, held, random() * 20)

  const guestClaim = claimOf(second, seatsFrom(second, 0, quantity), { buyerId: guest })
  const acts: (() => Promise<unknown>)[] = [
    () => adopt(ledger, guest, account),
    () => claimOne(second, guestClaim),
    () => claimOne(second, claimOf(second, seatsFrom(second, 5, 4), { buyerId: account.id })),
    () => storeAnswer(ledger, operationOf(guest), { statusCode: 200, body: {} }),
  ]
  if (random() < 0.5) acts.push(() => adopt(ledger, guest, account))
  if (fate === 'random' && random() < 0.5) acts.push(() => adopt(ledger, guest, rival))
  if (fate === 'paid' || fate === 'random') acts.push(() => pay(first, held, guest))
  if (fate === 'cancelled') acts.push(() => cancelReservation(ledger, { reservationId: held, buyerId: guest }))
  if (fate === 'expired' || random() < 0.5) acts.push(() => expireReservations(ledger, first.event.id))
  if (fate === 'random') acts.push(() => pay(first, ownHeld, account.id))
  await Promise.all(shuffled(acts, random).map((act) => act()))

  await expectNothingLeft(ledger, guest)
  const owner = await ownerOf(ledger, guest)
  for (const sale of [first, second]) {
    await countsInOrder(sale)
    const { pending, paid } = await seatsOwned(ledger, sale.event.id, owner)
    // What was paid, or was being paid, moves whatever the limit; nothing pending stays beyond it.
    if (pending > 0) expect(pending + paid).toBeLessThanOrEqual(LIMIT)
  }
  await note(ledger, witness, { held, guestClaim, canceled: (await adopt(ledger, guest, { id: owner })).canceled })
}

async function note(
  ledger: Ledger,
  witness: Set<string>,
  { held, guestClaim, canceled }: { held: string; guestClaim: Claim; canceled: readonly string[] },
): Promise<void> {
  const { status } = (await readReservation(ledger.db, held)) ?? {}
  witness.add(`${status}${canceled.includes(held) ? ' over the limit' : ''}`)
  if ((await readReservation(ledger.db, guestClaim.reservationId)) !== null) witness.add('claimed by the guest')
}

function seatsFrom(sale: Sale, start: number, count: number) {
  return { seatIds: Array.from({ length: count }, (_, index) => seatId(sale, start + index)) }
}

const operationOf = (actorId: string) => ({ actorId, key: randomUUID(), fingerprint: 'act' })

/** Both steps of paying, as one who may be adopted in between. */
async function pay(sale: Sale, reservationId: string, buyerId: string): Promise<void> {
  const started = await startPayment(sale.ledger, {
    ...{ purchaseId: randomUUID(), reservationId, buyerId, provider: 'sandbox', operation: operationOf(buyerId) },
    ...{ paySeconds: 60, holdSecondsMax: 900 },
  })
  if (started.status === 'started') await capture(sale, started.purchase)
}

async function ownerOf(ledger: Ledger, guestId: string): Promise<string> {
  const row = await ledger.db
    .selectFrom('adoptions')
    .select('user_id')
    .where('guest_id', '=', guestId)
    .executeTakeFirstOrThrow()
  return row.user_id
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, another) => one.place - another.place)
    .map(({ item }) => item)
}

/** What adopting would be without the guest's lock: what is there moves, and what is being written stays behind. */
export async function adoptUnguarded(ledger: Ledger, guestId: string, userId: string): Promise<void> {
  await ledger.db.transaction().execute(async (transaction) => {
    const row = { guest_id: guestId, user_id: userId, identity: guestId }
    await transaction.insertInto('adoptions').values(row).execute()
    await sql`update operations set actor_id = ${userId} where actor_id = ${guestId}`.execute(transaction)
    await sql`update reservations set buyer_id = ${userId} where buyer_id = ${guestId}`.execute(transaction)
  })
}

/** Something that happens after a guest's claim was written and before it is committed; the claim is in an event of its own. */
export async function claimWhile(ledger: Ledger, happens: (guestId: string) => Promise<unknown>) {
  const guest = randomUUID()
  await hold(await openStanding(ledger, 1), 1, { buyerId: guest })
  const sale: Sale = await openStalls(ledger, 1, 2)
  const claim = claimOf(sale, { seatIds: [seatId(sale, 0)] }, { buyerId: guest })
  const written = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  faults.arm(
    'reserve.inside-transaction',
    async () => {
      written.resolve()
      await goOn.promise
    },
    1,
  )
  const claiming = claimOne(sale, claim)
  await written.promise
  const happening = happens(guest)
  await letBegin(ledger, happening)
  goOn.resolve()
  await Promise.all([claiming, happening])
  const claimed = await readReservation(ledger.db, claim.reservationId)
  if (claimed === null) throw new Error('The claim was not written')
  return { guest, claimed }
}

/** Until a transaction waits for the guest's lock, or has ended because it waits for nothing, as without a guard. */
async function letBegin(ledger: Ledger, happening: Promise<unknown>): Promise<void> {
  // On one connection it begins when the claim has ended.
  if (ledger.kind === 'pglite') return
  const ended = happening.then(
    () => true,
    () => true,
  )
  await waitUntil('the other transaction waits for a lock, or ends', async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_locks
       where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`.execute(ledger.db)
    return (rows[0]?.waiting ?? 0) > 0 || (await Promise.race([ended, false]))
  })
}
