import assert from 'node:assert/strict'
import type { LookQuestion, RoomAt, TicketView } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { textsIn } from '../wire/reply.ts'
import { readView } from '../wire/view.ts'
import { Words } from '../wire/words.ts'

/** Runs look.lua. */
export function look(scripts: Scripts, at: RoomAt, questions: readonly LookQuestion[]): Promise<TicketView[]> {
  return inBatches(questions, async (batch) => {
    const args = batch.flatMap(({ number, identity, generation, heartbeat }) => [
      number,
      identity,
      generation,
      heartbeat ? 1 : 0,
    ])
    const views = textsIn(await scripts.run('look', at, [at.epoch, at.seenSeq, ...args]))
    assert.equal(views.length, batch.length)
    return views.map((view) => readView(new Words(view, ' ')))
  })
}
