import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatReport } from '@seatwise/checker'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { recordsOfRoom, removeFolder, suiteSeed, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendCrowd } from '../sale-under-test/see-it-through.ts'
import { type Sale, startSale } from '../sale-under-test/start-sale.ts'
import { leakedSlots, lostAcknowledgements } from './what-was-lost.ts'

/** Each point once with the data of Redis kept and once with it lost, or twenty times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 1
const TIMEOUT_MS = ROUNDS * 300_000
const CROWD = 12
const CROWDS_MAX = 30
const POINTS = (['join', 'admit', 'enter', 'leave'] as const).flatMap((operation) => faultPointsOf(operation))

describe('Redis killed with -9', () => {
  let sale: Sale
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
    sale = await startSale({
      ...{ servers: 2, seed: suiteSeed(), durableRedis: true },
      room: { capacity: 20, ratePerMinute: 60_000, burst: 20, claimSeconds: 5, sessionSeconds: 5 },
    })
  })
  afterAll(async () => {
    await sale?.close()
    await removeFolder(folder)
  })

  test('[I21][L23] and back with its data, while a server stands at any fault point: nothing acknowledged is lost', {
    timeout: TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await killRedisAtEachPoint(sale, folder, 'kept')
    expect(lostAcknowledgements(await allRecords(sale))).toEqual([])
  })

  test('[R19][R20][R21] and back without any, while a server stands at any fault point: every visitor who stays gets through', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const epoch = await sale.epoch()
    for (let round = 0; round < ROUNDS; round += 1) await killRedisAtEachPoint(sale, folder, 'empty')
    expect(await sale.epoch()).toBeGreaterThanOrEqual(epoch + ROUNDS * POINTS.length)
  })

  test('[I13][I14][I15][I19][I20][I21][I22][I28][M8] over all that every invariant held, and no slot leaked', async () => {
    await waitUntil('the floor is empty', async () => Number((await sale.now()).active) === 0)
    const log = await Array.fromAsync(recordsOfRoom(sale.ledger, sale.roomId))
    const report = await sale.history.check(log)
    expect(
      report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
      formatReport(report),
    ).toEqual([])
    expect(report.invariants.find(({ id }) => id === 'I28')?.verdict.status).toBe('held')
    expect(leakedSlots(log)).toEqual([])
  }, 180_000)
})

async function allRecords(sale: Sale) {
  await sale.followed()
  return [...(await Array.fromAsync(recordsOfRoom(sale.ledger, sale.roomId))), ...sale.history.records]
}

/** One server stops at every point once, and each time Redis dies and comes back meanwhile. */
async function killRedisAtEachPoint(sale: Sale, folder: string, data: 'kept' | 'empty'): Promise<void> {
  const fileOf = (point: FaultPoint): string => join(folder, point)
  const plan = POINTS.map((point) => `${point}=wait:${fileOf(point)}@${visitOf(sale, point)}`)
  await sale.servers[1]?.restart({ SEATWISE_FAULTS: plan.join('; ') })
  const left = new Set(POINTS)
  let isOver = false
  const killing = (async () => {
    while (left.size > 0) {
      const point = await waitUntil('a point is reached', () => [...left].find((each) => existsSync(fileOf(each))), {
        timeoutMs: 30_000,
      })
      const epoch = await sale.epoch()
      sale.history.fault('crash', `redis at ${point}`, 'begin')
      await sale.redis.kill()
      await sale.redis.restart(data)
      rmSync(fileOf(point))
      sale.history.fault('crash', `redis at ${point}`, 'end')
      left.delete(point)
      // The line stands again before it is lost once more.
      if (data === 'empty') await waitUntil('it is rebuilt', async () => (await sale.epoch()) > epoch)
    }
  })().finally(() => {
    isOver = true
  })
  for (let crowd = 0; !isOver; crowd += 1) {
    if (crowd === CROWDS_MAX) throw new Error(`${CROWDS_MAX} crowds did not reach ${[...left].join(', ')}`)
    await sendCrowd(sale, CROWD)
  }
  await killing
}

/** Admissions tick all the time: not while the server starts. */
function visitOf(sale: Sale, point: FaultPoint): number {
  return Math.ceil(sale.random() * 3) + (point.startsWith('admit.') ? 8 : 0)
}
