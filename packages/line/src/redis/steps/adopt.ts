import assert from 'node:assert/strict'
import type { AdoptReply, AdoptRequest, RoomAt } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { textsIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'
import { readView } from '../wire/view.ts'
import { Words } from '../wire/words.ts'

/** Runs adopt.lua. */
export function adopt(scripts: Scripts, at: RoomAt, requests: readonly AdoptRequest[]): Promise<AdoptReply[]> {
  return inBatches(requests, async (batch) => {
    const args = batch.flatMap(({ fromIdentity, toIdentity, userId, operation }) => [
      fromIdentity,
      toIdentity,
      escapeText(userId),
      escapeText(operation),
    ])
    const answers = textsIn(await scripts.run('adopt', at, [at.epoch, at.seenSeq, ...args]))
    assert.equal(answers.length, batch.length)
    return answers.map(readAnswer)
  })
}

function readAnswer(answer: string): AdoptReply {
  const words = new Words(answer, ' ')
  const status = words.oneOf(['adopted', 'nothing', 'has_own'])
  return status === 'adopted' ? { status, ...readView(words) } : { status, seq: words.number() }
}
