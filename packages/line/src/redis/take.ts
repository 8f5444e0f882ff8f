import assert from 'node:assert/strict'
import type { RoomAt } from '../contract.ts'
import { TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../gate.ts'
import { inBatches } from './batches.ts'
import { textsIn } from './reply.ts'
import type { Scripts } from './scripts.ts'
import { escapeText } from './text.ts'
import { Words } from './words.ts'

const STATUSES = ['taken', 'stale', 'sold_out', 'busy', 'not_enough'] as const

/** Runs take.lua. */
export function take(scripts: Scripts, at: RoomAt, requests: readonly TakeRequest[]): Promise<TakeReply[]> {
  return inBatches(requests, async (batch) => {
    const args = [at.epoch, at.seenSeq, TAKE_MS, TAKES_MAX, ...batch.flatMap(argsOf)]
    const answers = textsIn(await scripts.run('take', at, args))
    assert.equal(answers.length, batch.length)
    return answers.map(readAnswer)
  })
}

function argsOf({ number, fence, quantity, operation }: TakeRequest): (string | number)[] {
  assert(Number.isSafeInteger(quantity) && quantity >= 0, `A whole number of seats must be taken, not ${quantity}`)
  return [number, fence, quantity, escapeText(operation)]
}

function readAnswer(answer: string): TakeReply {
  const words = new Words(answer, ' ')
  const status = words.oneOf(STATUSES)
  const seq = words.number()
  return status === 'not_enough' ? { status, available: words.number(), seq } : { status, seq }
}
