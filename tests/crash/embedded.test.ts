import { join } from 'node:path'
import { formatReport } from '@seatwise/checker'
import { FAULT_POINTS, type FaultPoint } from '@seatwise/domain'
import { openLedger } from '@seatwise/ledger'
import { recordsOfRoom, removeFolder, type Server, startServer, temporaryFolder, testSeed } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { restartDoomed } from '../sale-under-test/restart-doomed.ts'
import { sendCrowd } from '../sale-under-test/see-it-through.ts'
import { openRoom, type Room } from '../sale-under-test/start-sale.ts'
import { leakedSlots, lostAcknowledgements } from './what-was-lost.ts'

const IS_LONG = process.env.SEATWISE_LONG === '1'
const ROUNDS = IS_LONG ? 20 : 1
const CROWD = 6
const CROWDS_MAX = 100 * ROUNDS
const STEPS = FAULT_POINTS.filter((point) => /^(join|admit|claim|leave)\./.test(point))
/** In one process the line itself commits, and every start is a rebuild. */
const BETWEEN_STEPS = FAULT_POINTS.filter((point) => /^follow.before|^rebuild\./.test(point))
/** Each death costs a start. */
const DEATHS = Array.from({ length: ROUNDS }, () => [...STEPS, ...BETWEEN_STEPS]).flat()

test(`[R18][I21][I28] the single process killed with -9 at every fault point of a step, ${ROUNDS} times each: nothing acknowledged is missing`, {
  timeout: ROUNDS * 300_000,
}, async () => {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const folder = await temporaryFolder()
    undo.push(() => removeFolder(folder))
    const dataDir = join(folder, 'data')
    const server = await startServer({ mode: 'embedded', dataDir })
    undo.push(() => server.discard())
    // No time limit passes while the server starts and dies again and again, however slow the machine is.
    const settings = {
      ...{ capacity: 500, ratePerMinute: 60_000, burst: 500, claimSeconds: 3_600, sessionSeconds: 3_600 },
      heartbeatTimeoutSeconds: 3_600,
    }
    const room = await openRoom([server], { seed: testSeed(), room: settings, undo })
    await crashAgainAndAgain(server, room)
    await server.kill()
    await judge(dataDir, room)
  } finally {
    for (const step of undo.reverse()) await step()
  }
})

/** The server dies at each point, and is started again at once, while all visitors keep asking. */
async function crashAgainAndAgain(server: Server, room: Room): Promise<void> {
  let isOver = false
  const crashing = (async () => {
    room.history.fault('crash', 'server', 'begin')
    await server.kill()
    for (const point of DEATHS) await crashAt(server, room, point)
    await server.restart()
    room.history.fault('crash', 'server', 'end')
  })().finally(() => {
    isOver = true
  })
  for (let crowd = 0; !isOver; crowd += 1) {
    if (crowd === CROWDS_MAX) throw new Error(`${CROWDS_MAX} crowds did not reach every point`)
    await sendCrowd(room, CROWD)
  }
  await crashing
}

async function crashAt(server: Server, room: Room, point: FaultPoint): Promise<void> {
  // Starting means rebuilding, once.
  const visit = point.startsWith('rebuild.') ? 1 : Math.ceil(room.random() * 3) + (point.startsWith('admit.') ? 6 : 0)
  await restartDoomed(server, `${point}=crash@${visit}`)
  room.history.fault('crash', 'server', 'end')
  await server.exited
  room.history.fault('crash', 'server', 'begin')
}

async function judge(dataDir: string, room: Room): Promise<void> {
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  try {
    const log = await Array.fromAsync(recordsOfRoom(ledger, room.roomId))
    const report = await room.history.check(log)
    expect(
      report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
      formatReport(report),
    ).toEqual([])
    expect(lostAcknowledgements([...log, ...room.history.records])).toEqual([])
    expect(leakedSlots(log)).toEqual([])
    // It was killed before the first of them, too.
    expect(report.faults.crash).toBe(DEATHS.length + 1)
  } finally {
    await ledger.close()
  }
}
