import type { PresentPage, RoomAt } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn, textIn } from '../wire/reply.ts'

/** Runs present.lua. */
export async function present(scripts: Scripts, at: RoomAt, fromNumber: number): Promise<PresentPage> {
  const [seq, next, found] = listIn(await scripts.run('present', at, [at.epoch, at.seenSeq, fromNumber]))
  const runs: PresentPage['runs'] = []
  const chunks = listIn(found)
  for (let index = 0; index < chunks.length; index += 3) {
    // Each byte is below 128, so the text has as many characters as the chunk has tickets.
    const places = textIn(chunks[index + 2])
    runs.push({
      first: numberIn(chunks[index]),
      generations: Buffer.from(textIn(chunks[index + 1]), 'latin1'),
      places: places === '' ? null : places.split(',').map(Number),
    })
  }
  return { runs, next: numberIn(next) < 0 ? null : numberIn(next), seq: numberIn(seq) }
}
