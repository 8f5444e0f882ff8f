import { formatReport } from '@seatwise/checker'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { recordsOfRoom, type Server, suiteSeed, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restartDoomed } from '../sale-under-test/restart-doomed.ts'
import { sendCrowd } from '../sale-under-test/see-it-through.ts'
import { type Sale, startSale } from '../sale-under-test/start-sale.ts'
import { leakedSlots, lostAcknowledgements } from './what-was-lost.ts'

const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 2
const CROWD = 12
const CROWDS_MAX = 20

/** Admissions tick all the time; the others happen once for each batch. */
const VISIT_MAX = { join: 3, enter: 2, leave: 2, follow: 4, admit: 12 } as const

describe('servers killed with -9', () => {
  let sale: Sale
  beforeAll(async () => {
    sale = await startSale({
      ...{ servers: 3, seed: suiteSeed() },
      room: { capacity: 20, ratePerMinute: 60_000, burst: 20, claimSeconds: 5, sessionSeconds: 5 },
    })
  })
  afterAll(async () => {
    await sale?.close()
  })

  for (const operation of ['join', 'admit', 'enter', 'leave', 'follow'] as const) {
    const [before, after] = faultPointsOf(operation)
    test(`[I21][R14] a crash at ${before} and ${after} loses nothing, ${ROUNDS} times`, {
      timeout: ROUNDS * 90_000,
    }, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const atVisit = Math.ceil(sale.random() * VISIT_MAX[operation]) + (operation === 'admit' ? 8 : 0)
        await crashAt(sale, operation, [before, after], atVisit)
      }
    })
  }

  test('[I13][I14][I15][I19][I20][I21][I22][M8] over all these crashes every invariant held, and no slot leaked', async () => {
    // A visitor vanished from the floor in the last crowd, too.
    await waitUntil('the floor is empty', async () => Number((await sale.now()).active) === 0)
    await sale.followed()
    const log = await Array.fromAsync(recordsOfRoom(sale.ledger, sale.roomId))
    const report = await sale.history.check(log)
    expect(
      report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
      formatReport(report),
    ).toEqual([])
    const records = [...log, ...sale.history.records]
    expect(lostAcknowledgements(records)).toEqual([])
    expect(leakedSlots(records)).toEqual([])
    expect(report.faults.crash).toBe(ROUNDS * 10)
  }, 180_000)
})

/** Starts two of three servers so that each dies at one of the points, and sends crowds until both are dead. */
async function crashAt(
  sale: Sale,
  operation: keyof typeof VISIT_MAX,
  points: readonly (FaultPoint | undefined)[],
  atVisit: number,
): Promise<void> {
  const [healthy, ...doomed] = sale.servers
  await Promise.all(doomed.map((server, index) => restartDoomed(server, `${points[index]}=crash@${atVisit}`)))
  const dead = new Set<Server>()
  for (const [index, server] of doomed.entries()) {
    void server.exited.then(() => {
      dead.add(server)
      sale.history.fault('crash', `server-${index + 1} at ${points[index]}`)
    })
  }
  for (let crowd = 0; dead.size < doomed.length; crowd += 1) {
    if (crowd === CROWDS_MAX) throw new Error(`${CROWDS_MAX} crowds did not reach ${points.join(' and ')}`)
    // One server at a time follows the log: a server that stops gives its lease to one of the doomed.
    if (operation === 'follow') {
      await healthy?.stop()
      await healthy?.restart()
    }
    await sendCrowd(sale, CROWD)
  }
}
