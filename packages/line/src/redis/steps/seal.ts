import type { RoomAt, Seal } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { textIn } from '../wire/reply.ts'
import { Words } from '../wire/words.ts'

/** Runs seal.lua. */
export async function seal(scripts: Scripts, at: RoomAt): Promise<Seal> {
  const words = new Words(textIn(await scripts.run('seal', at, [at.epoch, at.seenSeq])), ' ')
  return {
    status: words.oneOf(['sealed', 'revealed', 'early', 'none']),
    seq: words.number(),
    waitMs: words.number(),
  }
}
