import { randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import { beginEpoch, HOUSE_ID, type Ledger } from '@seatwise/ledger'
import { type Line, openMemoryLine, type RoomState } from '@seatwise/line'
import { openScratchLedger } from '@seatwise/testbench'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FollowerParts, LogFollower } from '../../../src/rooms/log/follow-log.ts'
import { alwaysHeld } from '../../../src/rooms/log/lease.ts'
import { type TailParts, tailLog } from '../../../src/rooms/log/tail-log.ts'

const log = pino({ level: 'silent' })
const JOINS = 10

let ledger: Ledger
beforeAll(async () => {
  ledger = await openScratchLedger()
})
afterAll(() => ledger.close())

it('[R12] a server that reads more slowly than the log is trimmed is told what it missed', async () => {
  for (const { trimmedTo, missed } of [
    { trimmedTo: 4, missed: [] },
    { trimmedTo: 5, missed: [4] },
    { trimmedTo: 9, missed: [8] },
  ]) {
    const { line, at } = await openLine()
    await line.trim(at, trimmedTo, 0)
    const gaps: number[] = []
    let first = 0
    const link: TailParts['link'] = { epoch: 1, saw: () => undefined, runPatiently: (work) => work(at) }
    await tailLog(
      {
        ...{ line, log, link },
        followedSeq: () => 3,
        onGap: (seq) => gaps.push(seq),
        onEntries: ([entry]) => {
          first = entry?.seq ?? 0
        },
      },
      () => first === 0,
    )
    expect(gaps).toEqual(missed)
    await line.close()
  }
})

it('[R15] a log that is trimmed beyond what the ledger has is lost, and nothing is copied over the gap', async () => {
  const { line, at } = await openLine()
  await ledger.db
    .insertInto('rooms')
    .values({
      id: at.room,
      name: 'Shop',
      target: 'https://shop.example',
      organization_id: HOUSE_ID,
      settings: JSON.stringify(ROOM_DEFAULTS),
    })
    .execute()
  await beginEpoch(ledger.db, { room: at.room, lostEpoch: 0, reason: 'first', unseenMax: 0 })
  await line.trim(at, 5, 0)
  const losses: string[] = []
  const link: FollowerParts['link'] = {
    ...{ seenSeq: JOINS + 1, saw: () => undefined },
    runPatiently: (work) => work(at),
    lost: (_, reason) => void losses.push(reason),
  }
  let rounds = 0
  const lease = alwaysHeld()
  await new LogFollower({ ledger, line, log, room: at.room, link, lease, onCopied: () => {} }).run(() => {
    rounds += 1
    return rounds <= 2
  })
  expect(losses).toContain('conflict')
  const { seq } = await ledger.db.selectFrom('rooms').select('seq').where('id', '=', at.room).executeTakeFirstOrThrow()
  expect(seq).toBe(0)
  await line.close()
})

/** A room in which some have joined: entry 1 opens it, the others tell of one visitor each. */
async function openLine(): Promise<{ line: Line; at: { room: string; epoch: number; seenSeq: number } }> {
  const line = openMemoryLine({ clock: () => 1_700_000_000_000 })
  const at = { room: randomUUID(), epoch: 1, seenSeq: 0 }
  await line.beginLoad(at.room, 1, STATE)
  await line.finishLoad(at.room, 1)
  const visitors = Array.from({ length: JOINS }, (_, index) => `visitor-${index}`)
  await line.join(
    at,
    visitors.map((identity) => ({ identity, class: 0, profile: '{}' })),
  )
  return { line, at }
}

const STATE: RoomState = {
  settings: { ...ROOM_DEFAULTS },
  ...{ paused: true, message: null, opensAt: 0, closesAt: 4_000_000_000_000 },
  ...{ stock: null, heldSeats: 0, stockVersion: 0, nextNumber: 1, marks: {}, usedCodes: [] },
  ...{ lastPlaces: [0, 0, 0, 0], passedPlace: 0, logMax: 1_000, followWithinMs: null, reason: 'opened' },
}
