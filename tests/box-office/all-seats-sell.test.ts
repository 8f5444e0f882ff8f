import { checkRecords, formatReport } from '@seatwise/checker'
import { readerOf, type Server, startServer, suiteSeed } from '@seatwise/testbench'
import { recordsOfSale } from 'seatwise'
import { expect, test } from 'vitest'
import { openRoom, type Sale, startSale } from '../sale-under-test/start-sale.ts'
import { Buyer, type Market, type Temper } from './buyer.ts'
import { houseOf, openMarket, readSeats } from './market.ts'

const SEATS = 10
/** Three times as many come as there are seats; as many stay as there are seats. */
const STAYING: readonly Temper[] = ['stays', 'stays', 'stays', 'dithers']
const GOING: readonly Temper[] = ['leaves', 'reserves and leaves', 'reserves and vanishes']
const HOUSE = houseOf(5, 5)
const ROOM = {
  ...{ capacity: 6, ratePerMinute: 60_000, burst: 6, claimSeconds: 2, sessionSeconds: 4, reservationSeconds: 4 },
  ...{ stockAware: true, maxSeatsPerBuyer: 2 },
}

test('[I25] [B11] [B14] all seats sell to those who stay, while others come and go, on one server', async () => {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const server = await startServer({ mode: 'embedded' })
    undo.push(() => server.discard())
    const room = await openRoom([server], { seed: suiteSeed(), room: ROOM, event: HOUSE, undo })
    await sellOut(await openMarket([server], room, 30_000), server)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}, 120_000)

test('[I25] [B11] [B14] all seats sell to those who stay, while others come and go, on three servers', async () => {
  const sale = await startSale({ servers: 3, seed: suiteSeed(), room: ROOM, event: HOUSE })
  try {
    const [server] = sale.servers
    if (server === undefined) throw new Error('Three servers were started')
    await sellOut(await openMarket(sale.servers, sale, 30_000), server)
    await sale.followed()
    expect(await verify(sale)).not.toMatch(/^I\d+ +violated/m)
  } finally {
    await sale.close()
  }
}, 120_000)

/** What the ledger and the log say about it, as `seatwise verify` judges. */
async function verify({ ledger, eventId }: Sale): Promise<string> {
  const records = await recordsOfSale(readerOf(ledger), eventId)
  if (records === null) throw new Error('The event is gone')
  return formatReport(await checkRecords(records))
}

async function sellOut(market: Market, server: Server): Promise<void> {
  const staying = crowd(market, SEATS, STAYING)
  const going = crowd(market, SEATS * 2, GOING)
  const buyers = [...staying, ...going].sort(() => market.room.random() - 0.5)
  await Promise.all(buyers.map((buyer) => buyer.go()))
  // No buyer who stayed was turned away, and no buyer was told sold out while a seat was only held.
  const bought = staying.map((buyer) => buyer.bought)
  expect(bought.filter((purchase) => purchase === null)).toEqual([])
  expect(going.filter(({ refusals }) => refusals.has('SOLD_OUT'))).toEqual([])
  const sold = bought.flatMap((purchase) => purchase?.seatIds ?? [])
  expect(new Set(sold).size).toBe(SEATS)
  const seats = await readSeats(server, market.room.eventId)
  expect(seats.map(({ status }) => status)).toEqual(Array.from({ length: SEATS }, () => 'sold'))
  expect(new Set(sold)).toEqual(new Set(seats.map(({ id }) => id)))
}

function crowd(market: Market, size: number, tempers: readonly Temper[]): Buyer[] {
  return Array.from({ length: size }, (_, index) => {
    const temper = tempers[index % tempers.length] ?? 'stays'
    return new Buyer(market, `${temper} ${index}`, temper)
  })
}
