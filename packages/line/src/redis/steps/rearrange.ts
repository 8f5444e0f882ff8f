import type { DrawnPlace, RoomAt } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'

/** Runs rearrange.lua. */
export async function rearrange(scripts: Scripts, at: RoomAt, places: readonly DrawnPlace[]): Promise<void> {
  await inBatches(places, async (batch) => {
    const args = batch.flatMap(({ number, place }) => [number, place])
    await scripts.run('rearrange', at, [at.epoch, at.seenSeq, ...args])
    return []
  })
}
