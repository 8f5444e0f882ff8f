import assert from 'node:assert/strict'
import type { RoomAt } from '../contract.ts'
import { TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../gate.ts'
import { inBatches } from './batches.ts'
import { textIn } from './reply.ts'
import type { Scripts } from './scripts.ts'
import { escapeText } from './text.ts'
import { Words } from './words.ts'

const STATUSES = ['taken', 'stale', 'sold_out', 'busy', 'not_enough'] as const

/** Runs take.lua. */
export function take(scripts: Scripts, at: RoomAt, requests: readonly TakeRequest[]): Promise<TakeReply[]> {
  return inBatches(requests, async (batch) => {
    const args = [at.epoch, at.seenSeq, TAKE_MS, TAKES_MAX, ...batch.map(textOf)]
    const answers = textIn(await scripts.run('take', at, args))
    const replies = answers === '' ? [] : answers.split('\n').map(readAnswer)
    assert.equal(replies.length, batch.length)
    return replies
  })
}

function textOf({ number, fence, quantity, identity = '-', operation }: TakeRequest): string {
  assert(Number.isSafeInteger(quantity) && quantity >= 0, `A whole number of seats must be taken, not ${quantity}`)
  return `${number} ${fence} ${quantity} ${identity} ${escapeText(operation)}`
}

function readAnswer(answer: string): TakeReply {
  const words = new Words(answer, ' ')
  const status = words.oneOf(STATUSES)
  const seq = words.number()
  return status === 'not_enough' ? { status, available: words.number(), seq } : { status, seq }
}
