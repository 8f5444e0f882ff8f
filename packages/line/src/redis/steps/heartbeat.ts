import type { RoomAt } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn } from '../wire/reply.ts'

/** Runs heartbeat.lua. */
export async function heartbeat(scripts: Scripts, at: RoomAt, numbers: readonly number[]): Promise<{ back: number[] }> {
  const back = await inBatches(numbers, async (batch) =>
    listIn(await scripts.run('heartbeat', at, [at.epoch, at.seenSeq, batch.join(' ')])).map(numberIn),
  )
  return { back }
}
