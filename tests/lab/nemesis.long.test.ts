import { formatReport, type Report } from '@seatwise/checker'
import { seededRandom, waitUntil } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { Buyer, type Temper } from '../box-office/buyer.ts'
import { houseOf, openMarket, readSeats } from '../box-office/market.ts'
import { openRoom, type Room } from '../sale-under-test/start-sale.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import { type Nemesis, unleash } from './nemesis.ts'

/** Seeds that once found something stay in the list. */
const FOUND: readonly number[] = [7, 101, 207]
const SEATS = 60
const STAYING: readonly Temper[] = ['stays', 'stays', 'dithers']
const GOING: readonly Temper[] = ['leaves', 'reserves and leaves', 'reserves and vanishes']
const ROOM = {
  ...{ capacity: 8, ratePerMinute: 240, burst: 8, claimSeconds: 15, sessionSeconds: 20, reservationSeconds: 20 },
  ...{ stockAware: true, maxSeatsPerBuyer: 2, heartbeatTimeoutSeconds: 60 },
}
/** People come for so long, so that there are joins at every stage of the sale. */
const ARRIVALS_MS = 40_000
/** Long enough for any fault and for what comes after it. */
const PATIENCE_MS = 120_000
const LOOK_MS = 250
const CLOCK_SHIFT_MS_MAX = 3 * 3_600_000

for (const seed of seedsToTry()) {
  test(`[F8] [I25] seed ${seed}: whatever breaks, all seats sell and every invariant holds`, {
    timeout: 600_000,
  }, async () => {
    const clock = { shiftMs: Math.round((seededRandom(seed)() * 2 - 1) * CLOCK_SHIFT_MS_MAX) }
    const laboratory = await openLaboratory({ servers: 2, seed, env: wrongClock(clock), smallDisks: isRoot() })
    try {
      const event = houseOf(SEATS / 2, SEATS / 2)
      const room = await openRoom(laboratory.servers, { seed, undo: laboratory.undo, room: ROOM, event })
      const buyers = await sellOut(laboratory, room)
      const nemesis = unleash(laboratory, room.history, seed)
      await buyers.go().finally(() => nemesis.stop())
      await buyers.findOut()
      await waitUntil('it is sold out by the whole log', async () => await isOver(laboratory, room), {
        timeoutMs: 60_000,
      })
      await expectSoldOut(laboratory, room)
      const report = await laboratory.verify(room)
      console.info(`seed ${seed}: ${JSON.stringify(seenIn(report, nemesis, clock))}`)
      expectHeld(report)
      expectEventful(report, nemesis)
    } finally {
      await laboratory.close()
    }
  })
}

async function sellOut({ servers }: Laboratory, room: Room) {
  const market = await openMarket(servers, room, PATIENCE_MS, LOOK_MS)
  const tempers = [...crowd(SEATS, STAYING), ...crowd(SEATS / 2, GOING)].sort(() => room.random() - 0.5)
  const buyers = tempers.map((temper, index) => new Buyer(market, `${temper} ${index}`, temper))
  return {
    async go(): Promise<void> {
      await Promise.all(buyers.map((buyer) => buyer.come(ARRIVALS_MS)))
    },
    async findOut(): Promise<void> {
      for (const buyer of buyers) await buyer.findOut()
    },
  }
}

function wrongClock({ shiftMs }: { shiftMs: number }): (index: number) => Readonly<Record<string, string>> {
  const shift = `--import=${new URL('shift-clock.mjs', import.meta.url).href}`
  return (index) => (index === 0 ? {} : { NODE_OPTIONS: shift, CLOCK_SHIFT_MS: String(shiftMs) })
}

/** The line has heard of the last sale, and the ledger has everything that the line said. */
async function isOver({ ledger }: Laboratory, room: Room): Promise<boolean> {
  const row = await ledger.db
    .selectFrom('rooms')
    .select(['epoch', 'seq'])
    .where('id', '=', room.roomId)
    .executeTakeFirst()
  const now = await room.now()
  return now.phase === 'sold_out' && row !== undefined && row.epoch === now.epoch && row.seq === now.seq
}

async function expectSoldOut({ servers: [server] }: Laboratory, { eventId }: Room): Promise<void> {
  if (server === undefined) throw new Error('Two servers were started')
  const seats = await readSeats(server, eventId)
  expect(seats).toHaveLength(SEATS)
  expect(seats.filter(({ status }) => status !== 'sold')).toEqual([])
}

function expectHeld(report: Report): void {
  const broken = report.invariants.filter(({ verdict }) => verdict.status === 'violated').map(({ id }) => id)
  expect(broken, formatReport(report)).toEqual([])
}

/** A run in which too little happened proves nothing. */
function expectEventful(report: Report, { made }: Nemesis): void {
  const held = report.invariants.filter(({ verdict }) => verdict.status === 'held').map(({ id }) => id)
  const needed = ['I1', 'I2', 'I3', 'I6', 'I9', 'I11', 'I12', 'I13', 'I14', 'I15', 'I17', 'I20', 'I21', 'I22']
  expect(held).toEqual(expect.arrayContaining([...needed, 'I24', 'I25', 'I27', 'I28']))
  const faults = [...made.values()].reduce((sum, times) => sum + times, 0)
  expect(faults).toBeGreaterThanOrEqual(12)
  expect(made.size).toBeGreaterThanOrEqual(8)
  expect(countIn(report, 'I13', 'admissions')).toBeGreaterThanOrEqual(SEATS)
  expect(countIn(report, 'I2', 'sales')).toBe(SEATS)
}

function seenIn(report: Report, { made }: Nemesis, clock: { shiftMs: number }) {
  return {
    joins: countIn(report, 'I28', 'tickets drawn'),
    admissions: countIn(report, 'I13', 'admissions'),
    purchases: countIn(report, 'I2', 'sales'),
    unknowns: countIn(report, 'I12', 'unknowns'),
    rebuilds: countIn(report, 'I28', 'rebuilds'),
    corrected: countIn(report, 'I28', 'tickets corrected'),
    broughtBack: countIn(report, 'I28', 'tickets brought back'),
    clockOffByMinutes: Math.round(clock.shiftMs / 60_000),
    faults: Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function countIn(report: Report, id: string, what: string): number {
  return report.invariants.find((invariant) => invariant.id === id)?.verdict.counts[what] ?? 0
}

function crowd(size: number, tempers: readonly Temper[]): Temper[] {
  return Array.from({ length: size }, (_, index) => tempers[index % tempers.length] ?? 'stays')
}

/** Small disks can only be mounted by root. */
function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** One seed to repeat what was found, or twenty that are new each time, beside those that once found something. */
function seedsToTry(): number[] {
  const { SEATWISE_TEST_SEED: only, SEATWISE_TEST_SEEDS: count } = process.env
  if (only !== undefined) return [Number(only)]
  const first = Math.floor(Date.now() / 1_000) % 1_000_000
  return [...FOUND, ...Array.from({ length: Number(count ?? 20) }, (_, index) => first * 100 + index)]
}
