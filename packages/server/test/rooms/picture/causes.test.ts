import { ROOM_DEFAULTS, type RoomSettings } from '@seatwise/domain'
import { NO_PLACE, openMemoryLine } from '@seatwise/line'
import { expect, it } from 'vitest'
import { Estimates } from '../../../src/rooms/picture/estimates.ts'

const VISITOR = 7
const RANK = 500
const OPERATED = { by: 'operator' } as const
const LOOKED_BACK = { limit: 1_000, waitMs: 0 } as const

/** A room in which a visitor far behind was told an estimate, before the operator does something. */
async function openStage(settings: Partial<RoomSettings>) {
  const clock = { nowMs: 1_800_000_000_000 }
  const line = openMemoryLine({ clock: () => clock.nowMs })
  const at = { room: 'sale', epoch: 1, seenSeq: 0 }
  await line.beginLoad('sale', 1, {
    settings: { ...ROOM_DEFAULTS, capacity: 200, ratePerMinute: 600, ...settings },
    ...{ paused: false, message: null, opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER },
    ...{ stock: null, heldSeats: 0, stockVersion: 0, nextNumber: 1, marks: {} },
    lastPlaces: [0, NO_PLACE, NO_PLACE, NO_PLACE],
    passedPlace: NO_PLACE,
    ...{ usedCodes: [], logMax: 1_000_000, followWithinMs: null, reason: 'opened' },
  })
  await line.finishLoad('sale', 1)
  const now = () => line.now(at)
  const estimates = new Estimates(await now())
  const show = async () => estimates.show(VISITOR, RANK, await now(), clock.nowMs)
  await show()
  clock.nowMs += 1_000
  const change = async (operation: string, settings: Partial<RoomSettings>) => {
    const { seq } = await line.change(at, { ...OPERATED, operation, settings })
    return seq
  }
  return { change, count: async () => estimates.counted(await now()), show, now, estimates, line, at }
}

it.for(['the log first', 'the counts first'])('[R11] a lowered rate explains a later estimate: %s', async (order) => {
  const { change, count, show, estimates, line, at } = await openStage({})
  await change('slower', { ratePerMinute: 60 })
  const entries = await line.readLog(at, 0, LOOKED_BACK)
  if (order === 'the log first') estimates.follow(entries)
  await count()
  if (order === 'the counts first') estimates.follow(entries)
  expect((await show()).reason).toBe('rate_lowered')
})

it('[R11] a change that the counts already have is not taken for a new one when the log tells it', async () => {
  const { change, count, show, estimates, line, at } = await openStage({})
  await change('faster', { ratePerMinute: 6_000 })
  await change('slower', { ratePerMinute: 60, capacity: 100 })
  await change('as before', { ratePerMinute: 600, capacity: 100 })
  await count()
  // Between them the log tells of a rate that was lowered, and of one that had been raised before.
  estimates.follow(await line.readLog(at, 0, LOOKED_BACK))
  await change('smaller', { capacity: 1 })
  await count()
  expect((await show()).reason).toBe('capacity_lowered')
})
