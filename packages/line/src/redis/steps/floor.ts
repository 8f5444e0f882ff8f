import assert from 'node:assert/strict'
import type { FloorItem, RoomAt } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { textIn } from '../wire/reply.ts'
import { Words } from '../wire/words.ts'

/** Runs floor.lua. */
export async function floor(scripts: Scripts, at: RoomAt, limit: number): Promise<FloorItem[]> {
  assert(limit > 0, `The limit must be at least 1, not ${limit}`)
  const text = textIn(await scripts.run('floor', at, [at.epoch, at.seenSeq, limit]))
  const items = text === '' ? [] : text.split('\n')
  assert(items.length <= limit)
  return items.map((item) => {
    const words = new Words(item, ' ')
    return {
      number: words.number(),
      state: words.oneOf(['admitted', 'active']),
      deadline: words.number(),
      fence: words.number(),
      reservedSeats: words.number(),
    }
  })
}
