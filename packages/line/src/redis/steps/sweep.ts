import assert from 'node:assert/strict'
import { NUMBERS_MAX } from '@seatwise/domain'
import type { RoomAt, Sweep, SweepLimit } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn } from '../wire/reply.ts'

/** Runs sweep.lua. */
export async function sweep(scripts: Scripts, at: RoomAt, { batch }: SweepLimit): Promise<Sweep> {
  assert(batch >= 0 && batch <= NUMBERS_MAX, `The batch must be 0 to ${NUMBERS_MAX}, not ${batch}`)
  const reply = listIn(await scripts.run('sweep', at, [at.epoch, at.seenSeq, batch])).map(numberIn)
  const [away = 0, expired = 0, more, seq = 0] = reply
  return { away, expired, more: more === 1, seq }
}
