import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { World } from '../src/rehearse/crowd/caller.ts'
import { TimerWheel } from '../src/rehearse/crowd/timer-wheel.ts'
import { Visitor } from '../src/rehearse/crowd/visitor.ts'
import { ConnectionPool } from '../src/rehearse/http/connection-pool.ts'
import { Measurements } from '../src/rehearse/measure/measurements.ts'
import { Recorder } from '../src/rehearse/measure/recorder.ts'
import type { Sale } from '../src/rehearse/sale/sale.ts'

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
  const visitor = new Visitor({ world, sale: SALE, name: 'ada', random: () => 0, accessToken: null, isWatched: true })
  expect(await visitor.reserve('stalls', 1)).toMatchObject({ kind: 'refused', code: 'SOLD_OUT' })
  world.wheel.stop()
  world.pool.close()
  world.recorder.close()
  await new Promise((resolve) => server.close(resolve))
  expect(asked).toEqual([
    'POST /api/events/event/reservations',
    'POST /api/events/event/reservations',
    'GET /api/operations/…',
  ])
  const records = readFileSync(join(folder, 'records'), 'utf8').trim().split('\n')
  expect(records.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ phase: 'ok', action: 'ask for reserve', effect: null }),
  )
})
