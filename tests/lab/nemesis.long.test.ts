import { formatReport } from '@seatwise/checker'
import { seededRandom, waitUntil } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { Buyer, type Temper } from '../box-office/buyer.ts'
import { houseOf, openMarket, readSeats } from '../box-office/market.ts'
import { openRoom } from '../sale-under-test/start-sale.ts'
import { openLaboratory } from './laboratory.ts'
import { unleash } from './nemesis.ts'

/** Seeds that once found something stay in the list. */
const SEEDS = seedsToTry()
const SEATS = 120
const TEMPERS: readonly Temper[] = [
  'stays',
  'stays',
  'leaves',
  'reserves and leaves',
  'reserves and vanishes',
  'dithers',
]
const ROOM = {
  ...{ capacity: 8, ratePerMinute: 240, burst: 8, claimSeconds: 15, sessionSeconds: 20, reservationSeconds: 20 },
  ...{ stockAware: true, maxSeatsPerBuyer: 2, heartbeatTimeoutSeconds: 60 },
}
/** Long enough for any fault and for what comes after it. */
const PATIENCE_MS = 120_000

for (const seed of SEEDS) {
  test(`[F8] [I25] seed ${seed}: whatever breaks, all seats sell and every invariant holds`, {
    timeout: 600_000,
  }, async () => {
    const laboratory = await openLaboratory({ servers: 2, seed })
    try {
      const room = await openRoom(laboratory.servers, {
        seed,
        undo: laboratory.undo,
        room: ROOM,
        event: houseOf(60, 60),
      })
      const market = await openMarket(laboratory.servers, room, PATIENCE_MS)
      const nemesis = unleash(laboratory, room.history, seededRandom(seed, 7))
      const staying = crowd(SEATS, ['stays', 'stays', 'dithers'])
      const going = crowd(SEATS, TEMPERS.slice(2, 5))
      const everybody = [...staying, ...going]
        .sort(() => room.random() - 0.5)
        .map((who, index) => new Buyer(market, `${who} ${index}`, who))
      const visits = Promise.all(everybody.map((buyer) => buyer.go()))
      await visits.finally(() => nemesis.stop())
      await waitUntil('the ledger has the whole log', async () => await isFollowed(laboratory, room), {
        timeoutMs: 60_000,
      })
      const [server] = laboratory.servers
      if (server === undefined) throw new Error('Two servers were started')
      const seats = await readSeats(server, room.eventId)
      expect(seats.filter(({ status }) => status !== 'sold')).toEqual([])
      const report = await laboratory.verify(room)
      console.info(`seed ${seed}: ${[...nemesis.made].map(([name, times]) => `${times}× ${name}`).join(', ')}`)
      expect(
        report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
        formatReport(report),
      ).toEqual([])
      const held = report.invariants.filter(({ verdict }) => verdict.status === 'held').map(({ id }) => id)
      expect(held).toEqual(expect.arrayContaining(['I1', 'I3', 'I6', 'I9', 'I13', 'I14', 'I15', 'I21', 'I22']))
      expect(nemesis.made.size).toBeGreaterThan(3)
    } finally {
      await laboratory.close()
    }
  })
}

async function isFollowed(
  { ledger }: Awaited<ReturnType<typeof openLaboratory>>,
  room: Awaited<ReturnType<typeof openRoom>>,
) {
  const row = await ledger.db
    .selectFrom('rooms')
    .select(['epoch', 'seq'])
    .where('id', '=', room.roomId)
    .executeTakeFirst()
  const now = await room.now()
  return row !== undefined && row.epoch === now.epoch && row.seq === now.seq
}

function crowd(size: number, tempers: readonly Temper[]): Temper[] {
  return Array.from({ length: size }, (_, index) => tempers[index % tempers.length] ?? 'stays')
}

/** One seed to repeat what was found, or twenty that are new each time. */
function seedsToTry(): number[] {
  const { SEATWISE_TEST_SEED: only, SEATWISE_TEST_SEEDS: count } = process.env
  if (only !== undefined) return [Number(only)]
  const first = Math.floor(Date.now() / 1_000) % 1_000_000
  return Array.from({ length: Number(count ?? 20) }, (_, index) => first * 100 + index)
}
