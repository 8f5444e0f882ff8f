import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseRecord, removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { World } from '../src/rehearse/crowd/caller.ts'
import { TimerWheel } from '../src/rehearse/crowd/timer-wheel.ts'
import { Visitor } from '../src/rehearse/crowd/visitor.ts'
import { ConnectionPool } from '../src/rehearse/http/connection-pool.ts'
import { Measurements } from '../src/rehearse/measure/measurements.ts'
import { Recorder } from '../src/rehearse/measure/recorder.ts'
import type { Sale } from '../src/rehearse/sale/sale.ts'
import { rushFigures } from '../src/report/rehearsal-report.ts'

const SALE: Sale = {
  ...{
    eventId: 'event',
    roomId: 'room',
    name: 'Aurora',
    seats: 1,
    seatTypeIds: ['stalls'],
    isFree: false,
    guests: true,
  },
  ...{ claimMs: 1_000, sessionMs: 1_000, reservationMs: 1_000, settings: {} },
}

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => removeFolder(folder))

it('[V24] a visitor who is asked to come again returns after that time, and the report counts it', async () => {
  const askedAtMs: number[] = []
  const server = createServer((_request, response) => {
    askedAtMs.push(performance.now())
    const isFirst = askedAtMs.length === 1
    const head = { 'content-type': 'application/json', ...(isFirst ? { 'retry-after': '1' } : {}) }
    response.writeHead(isFirst ? 503 : 200, head)
    const joined = {
      status: 'waiting',
      ticketId: 'tkt_012345671',
      ticketToken: 't',
      joinedAt: new Date().toISOString(),
    }
    response.end(JSON.stringify(isFirst ? { statusCode: 503, code: 'OVERLOADED' } : joined))
  })
  const { world, close } = await openWorld(server)
  const visitor = new Visitor({ world, sale: SALE, name: 'ada', random: () => 0, accessToken: null, isWatched: true })
  const { kind, attempts } = await visitor.join()
  await close()
  expect([kind, attempts]).toEqual(['ok', 2])
  // The timers of a crowd are as coarse as its wheel.
  expect((askedAtMs[1] ?? 0) - (askedAtMs[0] ?? 0)).toBeGreaterThan(950)

  const { measurements } = world
  measurements.arrived = 4
  measurements.tookPlace({ isAtOnce: false, tookMs: 1_500 })
  measurements.tookPlace({ isAtOnce: true, tookMs: 20 })
  measurements.tookPlace({ isAtOnce: true, tookMs: 20 })
  measurements.tookPlace({ isAtOnce: false, tookMs: null })
  expect(rushFigures(measurements)).toMatchObject({ askedAgainShare: 0.5, inLineMaxMs: 1_500, atOnce: { count: 2 } })
})

it('[V7] a visitor who is refused after an attempt without an answer asks for its outcome', async () => {
  const asked: string[] = []
  // The first attempt is cut off, the second finds everything sold; the ledger knows of neither.
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/operations\/.*/, 'operations/…')}`)
    if (asked.length === 1) return void request.socket.destroy()
    const status = request.method === 'GET' ? 404 : 409
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ statusCode: status, code: status === 404 ? 'NOT_FOUND' : 'SOLD_OUT' }))
  })
  const { world, close } = await openWorld(server)
  const visitor = new Visitor({ world, sale: SALE, name: 'ada', random: () => 0, accessToken: null, isWatched: true })
  expect(await visitor.reserve('stalls', 1)).toMatchObject({ kind: 'refused', code: 'SOLD_OUT' })
  await close()
  expect(asked).toEqual([
    'POST /api/events/event/reservations',
    'POST /api/events/event/reservations',
    'GET /api/operations/…',
  ])
  const records = readFileSync(join(folder, 'records'), 'utf8').trim().split('\n')
  expect(records.map(parseRecord)).toContainEqual(
    expect.objectContaining({ phase: 'ok', action: 'ask for reserve', effect: null }),
  )
})

/** A crowd's world around a stand-in for the server. */
async function openWorld(server: Server): Promise<{ world: World; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const world: World = {
    ...{
      url,
      measurements: new Measurements(),
      wheel: new TimerWheel(),
      recorder: new Recorder(join(folder, 'records')),
    },
    ...{ pool: new ConnectionPool({ url, connectionsMax: 1, answerMsMax: 10_000 }), retriesMax: 3 },
    ...{ clockOffsetMs: 0, isOver: false },
  }
  return {
    world,
    async close() {
      world.wheel.stop()
      world.pool.close()
      world.recorder.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
