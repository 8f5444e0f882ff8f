import { join } from 'node:path'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { removeFolder, type Server, startServer, suiteSeed, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { restartDoomed } from '../sale-under-test/restart-doomed.ts'
import { openRoom, type Room, startSale } from '../sale-under-test/start-sale.ts'
import { Buyer, type Market } from './buyer.ts'
import { houseOf, openMarket, readSeats } from './market.ts'

const isLong = process.env.SEATWISE_LONG === '1'
/** Each point once with three servers and once in the single process, or twenty times each. */
const ROUNDS = isLong ? 20 : 1
const POINTS: readonly FaultPoint[] = [...faultPointsOf('reserve'), ...faultPointsOf('expire')]
const CRASHES = Array.from({ length: ROUNDS }, () => POINTS).flat()
const TIMEOUT_MS = ROUNDS * 300_000
const CROWD = 4
/** On a busy machine a server that dies again and again is away for a minute. */
const PATIENCE_MS = 150_000
/** What a dead server left behind is finished or undone by then. */
const SETTLED_MS = 30_000
/** Of each kind, and more than can be sold until the last crash: people come as long as servers die. */
const SEATS = isLong ? 5_000 : 1_000
const HOUSE = houseOf(SEATS, SEATS)
const ROOM = {
  ...{ capacity: 50, ratePerMinute: 60_000, burst: 50, claimSeconds: 0, sessionSeconds: 60, reservationSeconds: 2 },
  stockAware: true,
}

// Both at once: most of the time they wait for holds to end.
test.concurrent(`[I6] [I11] [B16] [B25] servers killed with -9 at every point of a reservation, ${ROUNDS} times each: finished or undone within 30 s`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const sale = await startSale({ servers: 3, seed: suiteSeed(), room: ROOM, event: HOUSE })
  try {
    const [witness, ...doomed] = sale.servers
    if (witness === undefined) throw new Error('Three servers were started')
    const market = await openMarket(sale.servers, sale, PATIENCE_MS)
    const buyers: Buyer[] = []
    // Two die while one crowd buys, each of a point of its own.
    for (let next = 0; next < CRASHES.length; next += doomed.length) {
      const dying = doomed.slice(0, CRASHES.length - next)
      const plan = (index: number) => `${CRASHES[next + index]}=crash@${1 + Math.floor(sale.random() * 2)}`
      await Promise.all(dying.map((server, index) => restartDoomed(server, plan(index))))
      buyers.push(...(await buyUntil(market, Promise.all(dying.map(({ exited }) => exited)))))
    }
    await judge(witness, sale, buyers)
  } finally {
    await sale.close()
  }
})

test.concurrent(`[I6] [I11] [B16] [B25] the single process killed with -9 at every point of a reservation, ${ROUNDS} times each: the restart finishes or undoes it`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const folder = await temporaryFolder()
    undo.push(() => removeFolder(folder))
    const server = await startServer({ mode: 'embedded', dataDir: join(folder, 'data') })
    undo.push(() => server.discard())
    const room = await openRoom([server], { seed: suiteSeed(), room: ROOM, event: HOUSE, undo })
    const market = await openMarket([server], room, PATIENCE_MS)
    const buyers = await buyUntil(market, crashAtEveryPoint(server))
    await judge(server, room, buyers)
  } finally {
    for (const step of undo.reverse()) await step()
  }
})

/** It is started again at once, while all buyers keep asking. */
async function crashAtEveryPoint(server: Server): Promise<void> {
  for (const point of CRASHES) {
    await restartDoomed(server, `${point}=crash`)
    await server.exited
  }
  await server.restart()
}

let crowds = 0

/** Some buy and some vanish with their seats, again and again, until a server died of it. */
async function buyUntil(market: Market, died: Promise<unknown>): Promise<Buyer[]> {
  let isOver = false
  const over = died.finally(() => {
    isOver = true
  })
  const buyers: Buyer[] = []
  do {
    crowds += 1
    const crowd = Array.from({ length: CROWD }, (_, index) => {
      const temper = index === 0 ? 'reserves and vanishes' : 'stays'
      return new Buyer(market, `${temper} ${crowds} ${index}`, temper)
    })
    buyers.push(...crowd)
    await Promise.all(crowd.map((buyer) => buyer.go()))
  } while (!isOver)
  await over
  return buyers
}

/** Every buyer who stayed has exactly one seat; no other seat is kept; the line knows what is left. */
async function judge(server: Server, room: Room, buyers: readonly Buyer[]): Promise<void> {
  expect(buyers.filter(({ temper, bought }) => temper === 'stays' && bought === null)).toEqual([])
  const bought = buyers.flatMap((buyer) => buyer.bought?.seatIds ?? [])
  expect(new Set(bought).size).toBe(bought.length)
  const seats = await waitUntil(
    'no seat is held by a buyer who vanished',
    async () => {
      const all = await readSeats(server, room.eventId)
      return all.some(({ status }) => status === 'held') ? null : all
    },
    { timeoutMs: SETTLED_MS, everyMs: 250 },
  )
  const sold = seats.filter(({ status }) => status === 'sold').map(({ id }) => id)
  expect(sold.sort()).toEqual(bought.toSorted())
  await waitUntil(
    'the line knows what is left',
    async () => (await room.now()).remainingSeats === 2 * SEATS - sold.length,
    {
      timeoutMs: SETTLED_MS,
    },
  )
}
