import assert from 'node:assert/strict'
import type { JoinReply, RestoreRequest, RoomAt } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { assertIdentity } from '../wire/identity.ts'
import { textsIn } from '../wire/reply.ts'
import { readView } from '../wire/view.ts'
import { Words } from '../wire/words.ts'

/** Runs restore.lua. */
export function restore(scripts: Scripts, at: RoomAt, requests: readonly RestoreRequest[]): Promise<JoinReply[]> {
  return inBatches(requests, async (batch) => {
    const answers = textsIn(await scripts.run('restore', at, [at.epoch, at.seenSeq, ...batch.flatMap(argsOf)]))
    assert.equal(answers.length, batch.length)
    return answers.map(readAnswer)
  })
}

function argsOf(request: RestoreRequest): (string | number)[] {
  const { number, place, class: ticketClass, identity, generation, epoch, joinedAt } = request
  assertIdentity(identity)
  return [number, place, ticketClass, identity, generation, epoch, joinedAt]
}

function readAnswer(answer: string): JoinReply {
  const words = new Words(answer, ' ')
  const status = words.oneOf(['joined', 'present', 'refused'])
  return status === 'refused' ? { status, seq: words.number() } : { status, ...readView(words) }
}
