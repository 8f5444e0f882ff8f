import { checkRecords, type Report } from '@seatwise/checker'
import { type RoomOptions, SimulatedRoom } from './simulated-room.ts'
import { SimulatedVisitor, tellLine } from './simulated-visitor.ts'

export interface Simulation {
  readonly report: Report
  readonly witness: ReadonlyMap<string, number>
  readonly room: SimulatedRoom
}

const VISITORS = 14
const LASTS_MS = 60_000
const TICK_MS = 1_000
const FOLLOW_MS = 700
const SWEEP_MS = 900
/** How often a server dies, and the line is lost, in a minute. */
const CRASHES = 1.5
const LOSSES = 0.7

/** One sale from a seed, in virtual time. */
export async function simulate(options: RoomOptions): Promise<Simulation> {
  const room = new SimulatedRoom(options)
  const { schedule } = room
  const endMs = schedule.nowMs + LASTS_MS
  await room.rebuild('opened')
  for (const server of room.servers) server.epoch = room.ledger.epoch
  for (let index = 0; index < VISITORS; index += 1) {
    const visitor = new SimulatedVisitor(room, index)
    schedule.after(room.between(0, LASTS_MS / 3), () => visitor.arrive())
  }
  every(room, TICK_MS, () => letIn(room))
  every(room, TICK_MS, () => tellLine(room))
  every(room, SWEEP_MS, () => sweep(room))
  every(room, FOLLOW_MS, () => room.follow(room.anyServer()))
  if (options.isCalm !== true) planTroubles(room)
  await schedule.runUntil(endMs)
  await room.follow(room.anyServer())
  const report = await checkRecords(room.records)
  await room.close()
  return { report, witness: room.witness, room }
}

function every(room: SimulatedRoom, milliseconds: number, run: () => Promise<void> | void): void {
  room.schedule.after(room.between(0.5, 1.5) * milliseconds, async () => {
    await run()
    every(room, milliseconds, run)
  })
}

let operations = 0

function letIn(room: SimulatedRoom): void {
  operations += 1
  const operation = `admit ${operations}`
  room.send(
    room.anyServer(),
    (at) => room.line.admit(at, { batch: 4, operation }),
    () => undefined,
  )
}

function sweep(room: SimulatedRoom): void {
  room.send(
    room.anyServer(),
    (at) => room.line.sweep(at, { batch: 4 }),
    () => undefined,
  )
}

function planTroubles(room: SimulatedRoom): void {
  const { schedule } = room
  for (let left = CRASHES; room.chance(left); left -= 1) {
    schedule.after(room.between(5_000, LASTS_MS), () => {
      const server = room.anyServer()
      if (room.servers.filter(({ isDown }) => !isDown).length < 2) return
      room.saw('server died')
      Object.assign(server, { life: server.life + 1, isDown: true, seenSeq: 0 })
      schedule.after(room.between(500, 5_000), () => {
        Object.assign(server, { isDown: false, epoch: room.ledger.epoch })
      })
    })
  }
  for (let left = LOSSES; room.chance(left); left -= 1) {
    schedule.after(room.between(5_000, LASTS_MS), async () => {
      room.saw('line lost')
      await room.line.drop(room.id)
    })
  }
}
