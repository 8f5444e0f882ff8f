import { formatReport, type LogRecord } from '@seatwise/checker'
import { recordsOfRoom, testSeed, type Visitor, waitUntil } from '@seatwise/testbench'
import { afterEach, expect, test } from 'vitest'
import { seeItThrough } from '../sale-under-test/see-it-through.ts'
import { type Sale, startSale } from '../sale-under-test/start-sale.ts'

const HEARTBEAT_SECONDS = 2
const TICK_MS = 250
/** What a busy machine may add to a tick: less than the heartbeat timeout, which is what waiting for the dead would cost. */
const SLACK_MS = 1_500
const LOOK_MS = 250
const VISITORS = 200

let sale: Sale | undefined
afterEach(async () => {
  await sale?.close()
  sale = undefined
})

async function open(capacity: number): Promise<Sale> {
  const settings = { capacity, ratePerMinute: 60_000, burst: 100, heartbeatTimeoutSeconds: HEARTBEAT_SECONDS }
  const room = { ...settings, graceSeconds: 1, claimSeconds: 60, sessionSeconds: 60 }
  sale = await startSale({ servers: 2, seed: testSeed(), room })
  return sale
}

test('[M5] a dead head is passed within the heartbeat timeout and one tick', async () => {
  const { visitor, roomId, ledger, ...room } = await open(1)
  const [holder, dead, next] = [visitor('holder'), visitor('dead head'), visitor('next')]
  await holder.join()
  await waitUntil('the holder is on the floor', async () => (await holder.look()).status === 'admitted')
  await dead.join()
  const diedAt = performance.now()
  await next.join()
  await waitUntil('the head is taken for absent', async () => {
    expect((await next.look()).status).toBe('waiting')
    return performance.now() - diedAt > HEARTBEAT_SECONDS * 1_000 + 200
  })
  await holder.enter()
  await holder.complete()
  await waitUntil('the next is on the floor', async () => (await next.look()).status === 'admitted')
  await room.followed()

  const log = await Array.fromAsync(recordsOfRoom(ledger, roomId))
  const freed = entryOf(log, 'complete', holder)
  const admitted = entryOf(log, 'admit', next)
  expect(admitted.atMs - freed.atMs).toBeLessThanOrEqual(TICK_MS + SLACK_MS)
  expect(entryOf(log, 'away', dead).seq).toBeLessThan(admitted.seq)
  expect(log.some((entry) => entry.kind === 'admit' && entry.ticket === dead.ticket)).toBe(false)
})

test('[M5][L17] a third of the line vanishes: it costs no slot and no token, and delays no visitor', async () => {
  const { visitor, roomId, ledger, history, random, ...room } = await open(10)
  await room.change({ paused: true })
  const visitors = Array.from({ length: VISITORS }, (_, index) => visitor(`visitor ${index}`))
  for (const each of visitors) await each.join()
  // Admission passes a place by admitting a later one (L63), so the last visitor stays.
  const vanished = new Set(visitors.slice(0, -1).filter(() => random() < 0.3))
  const staying = visitors.filter((each) => !vanished.has(each))
  const vanishedAt = performance.now()
  const visits = staying.map((each) => seeItThrough(each, 'completed', LOOK_MS))
  await waitUntil('those who vanished are taken for absent', async () => {
    return performance.now() - vanishedAt > HEARTBEAT_SECONDS * 1_000 + 200
  })
  await room.change({ paused: false })
  await Promise.all(visits)
  const ended = async () =>
    (await Array.fromAsync(recordsOfRoom(ledger, roomId))).filter(({ kind }) => kind === 'expire')
  await waitUntil('all who vanished have expired', async () => (await ended()).length === vanished.size)

  const log = await Array.fromAsync(recordsOfRoom(ledger, roomId))
  const admitted = log.flatMap((entry) => (entry.kind === 'admit' ? [entry.ticket] : []))
  expect(admitted.toSorted((a, b) => a - b)).toEqual(staying.map(({ ticket }) => ticket))
  expect((await ended()).every((entry) => entry.kind === 'expire' && entry.reason === 'no_show')).toBe(true)
  const report = await history.check(log)
  expect(
    report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
    formatReport(report),
  ).toEqual([])
})

function entryOf(log: readonly LogRecord[], kind: LogRecord['kind'], { name, ticket }: Visitor): LogRecord {
  const entry = log.find((each) => each.kind === kind && 'ticket' in each && each.ticket === ticket)
  if (entry === undefined) throw new Error(`The log has no ${kind} of ${name}`)
  return entry
}
