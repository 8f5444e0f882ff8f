import { formatReport } from '@seatwise/checker'
import type { Ledger } from '@seatwise/ledger'
import { type FaultProxy, logOfRoom, redisCommand, suiteSeed, type Visitor, waitUntil } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { Buyer, type Market } from '../box-office/buyer.ts'
import { houseOf, openMarket, readSeats } from '../box-office/market.ts'
import { openRoom, type Room } from '../sale-under-test/start-sale.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'

const WAITING = 20_000
/** The last of those who join do so while the ledger cannot follow: only their tokens know them. */
const UNSEEN = 200
const HOLDS = 500
const SOLD = 2_000
/** Let in afterwards, to see in which order. */
const LET_IN = 1_000
const BACK_MS_MAX = 10_000
const AT_ONCE = 100
/** A hundred at once keep two servers busy on a machine that has other things to do: no visitor asks again at once. */
const LOOK_MS = 250
const PATIENCE_MS = 150_000
const ROOM = {
  ...{ capacity: HOLDS, ratePerMinute: 60_000, burst: 1_000, claimSeconds: 600, sessionSeconds: 600 },
  ...{ reservationSeconds: 600, stockAware: true, heartbeatTimeoutSeconds: 600 },
}

test(`[F9] [I28] FLUSHALL with ${WAITING} waiting, ${HOLDS} holds and ${SOLD} sold`, { timeout: 600_000 }, async () => {
  const seed = suiteSeed()
  const laboratory = await openLaboratory({ servers: 2, seed })
  try {
    const event = houseOf(100, 9_900)
    const room = await openRoom(laboratory.servers, { seed, undo: laboratory.undo, room: ROOM, event })
    const market = await openMarket(laboratory.servers, room, PATIENCE_MS, LOOK_MS)
    await forEachVisitor(SOLD, (index) => buy(market, 'stays', `bought ${index}`))
    await forEachVisitor(HOLDS, (index) => buy(market, 'reserves and vanishes', `holds ${index}`))
    const line = await queueUp(room, laboratory)

    const flushedAt = performance.now()
    room.history.fault('flush', 'redis', 'begin')
    await redisCommand(laboratory.redis.port, 'FLUSHALL')
    for (const link of laboratory.ledgerLinks) forgetAndHeal(link)
    await waitUntil(
      'all visitors the ledger knew wait again',
      async () => await waits(room, WAITING - UNSEEN, 2),
      PATIENT,
    )
    await Promise.all(line.slice(-AT_ONCE).map((visitor) => visitor.look()))
    const backMs = performance.now() - flushedAt
    await forEachVisitor(WAITING, async (index) => void (await line[index]?.look()))
    await waitUntil('all visitors wait again', async () => await waits(room, WAITING, 2), PATIENT)
    const allBackMs = performance.now() - flushedAt
    room.history.fault('flush', 'redis', 'end')

    await room.change({ capacity: HOLDS + LET_IN })
    const admitted = await waitUntil('people are let in', () => admittedSince(laboratory, room, line), PATIENT)
    const numbers = line.map(({ ticket }) => ticket)
    expect(admitted).toEqual(numbers.slice(0, LET_IN))
    console.info(`back after ${Math.round(backMs)} ms, all ${WAITING} seen again after ${Math.round(allBackMs)} ms`)
    await expectNothingLost(laboratory, room)
    expect(backMs).toBeLessThan(BACK_MS_MAX)
  } finally {
    await laboratory.close()
  }
})

const PATIENT = { timeoutMs: 60_000, everyMs: 100 }

async function buy(market: Market, temper: 'stays' | 'reserves and vanishes', name: string): Promise<void> {
  const buyer = new Buyer(market, name, temper)
  const ending = await buyer.go()
  if (ending !== 'bought' && ending !== 'vanished') throw new Error(`${name} ${ending}`)
  // On a busy machine the server told them to retry, and then refused: only this shows the outcome.
  await buyer.findOut()
}

/** In the order of their numbers. */
async function queueUp(room: Room, { ledger, ledgerLinks }: Laboratory): Promise<Visitor[]> {
  const line = Array.from({ length: WAITING }, (_, index) => room.visitor(`waits ${index}`))
  await forEachVisitor(WAITING - UNSEEN, async (index) => void (await line[index]?.join()))
  await waitUntil(
    'the ledger has them',
    async () => (await countKnown(ledger, room)) === SOLD + HOLDS + WAITING - UNSEEN,
    PATIENT,
  )
  for (const link of ledgerLinks) link.cut()
  await forEachVisitor(UNSEEN, async (index) => void (await line[WAITING - UNSEEN + index]?.join()))
  return line.sort((a, b) => (a.ticket ?? 0) - (b.ticket ?? 0))
}

async function countKnown({ db }: Ledger, { roomId }: Room): Promise<number> {
  const count = db.selectFrom('queue_entries').select((from) => from.fn.countAll<number>().as('known'))
  return Number((await count.where('room_id', '=', roomId).executeTakeFirstOrThrow()).known)
}

/** Drops what it held back: the ledger must not hear of these visitors, so that only their tokens know them. */
function forgetAndHeal(link: FaultProxy): void {
  link.reset()
  link.heal()
}

/** By the public document, which may be a second old; some visitors that only their tokens know may be back already. */
async function waits(room: Room, count: number, epoch: number): Promise<boolean> {
  const now = await room.now()
  return now.epoch === epoch && Number(now.waiting) >= count
}

/** The visitors admitted after the loss, in order; null until all of them were. */
async function admittedSince({ ledger }: Laboratory, room: Room, line: readonly Visitor[]): Promise<number[] | null> {
  const first = line[0]?.ticket ?? 0
  const admitted: number[] = []
  for await (const { change } of logOfRoom(ledger, room.roomId)) {
    if (change.kind === 'admitted' && change.number >= first) admitted.push(change.number)
  }
  return admitted.length < LET_IN ? null : admitted
}

async function expectNothingLost(laboratory: Laboratory, room: Room): Promise<void> {
  const [server] = laboratory.servers
  if (server === undefined) throw new Error('Two servers were started')
  const seats = await readSeats(server, room.eventId)
  const count = (status: string) => seats.filter((seat) => seat.status === status).length
  expect({ sold: count('sold'), held: count('held') }).toEqual({ sold: SOLD, held: HOLDS })
  const report = await laboratory.verify(room)
  const broken = report.invariants.filter(({ verdict }) => verdict.status === 'violated').map(({ id }) => id)
  expect(broken, formatReport(report)).toEqual([])
  const rebuilds = report.invariants.find(({ id }) => id === 'I28')?.verdict
  expect(rebuilds).toMatchObject({ status: 'held', counts: { rebuilds: 1, 'tickets brought back': UNSEEN } })
}

/** So many visits, some of them at once. */
async function forEachVisitor(count: number, visit: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      await visit(index)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
