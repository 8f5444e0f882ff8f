import { type Server, startServer, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** An embedded ledger, with room for what it writes when it starts. */
const DISK_MB = 256
const PATIENT = { timeoutMs: 30_000, everyMs: 500 }

let disk: SmallDisk
let server: Server
beforeEach(async () => {
  disk = await mountSmallDisk(DISK_MB)
  server = await disk.hold(() => startServer({ mode: 'embedded' }))
}, 120_000)
afterEach(async () => {
  await server?.discard()
  await disk?.unmount()
})

async function ready(): Promise<number> {
  return (await fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } })).status
}

it('[O56] an embedded server on a full disk is not ready, and is again when there is room', async () => {
  expect(await ready()).toBe(200)
  disk.fill()
  await waitUntil('it is not ready', async () => (await ready()) === 503, PATIENT)
  disk.empty()
  await waitUntil('it is ready again', async () => (await ready()) === 200, PATIENT)
})
