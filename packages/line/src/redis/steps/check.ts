import assert from 'node:assert/strict'
import type { PassQuestion, PassReply, RoomAt } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { textsIn } from '../wire/reply.ts'
import { Words } from '../wire/words.ts'

/** Runs check.lua. */
export function check(scripts: Scripts, at: RoomAt, questions: readonly PassQuestion[]): Promise<PassReply[]> {
  return inBatches(questions, async (batch) => {
    const args = batch.flatMap(({ number, fence }) => [number, fence])
    const answers = textsIn(await scripts.run('check', at, [at.epoch, at.seenSeq, ...args]))
    assert.equal(answers.length, batch.length)
    return answers.map(readAnswer)
  })
}

function readAnswer(answer: string): PassReply {
  const words = new Words(answer, ' ')
  if (words.oneOf(['counts', 'stale']) === 'stale') {
    return { status: 'stale', state: words.state(), seq: words.number() }
  }
  return {
    status: 'counts',
    number: words.number(),
    generation: words.number(),
    deadline: words.number(),
    reservedSeats: words.number(),
    seq: words.number(),
    identity: words.text(),
    ...peopleIn(words.text()),
  }
}

function peopleIn(word: string): { people?: string[] } {
  return word === '-' ? {} : { people: word.split(',') }
}
