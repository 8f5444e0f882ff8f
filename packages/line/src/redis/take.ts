import assert from 'node:assert/strict'
import type { RoomAt } from '../contract.ts'
import { TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../gate.ts'
import { inBatches } from './batches.ts'
import { listIn, numberIn, textIn } from './reply.ts'
import type { Scripts } from './scripts.ts'
import { escapeText } from './text.ts'
import { Words } from './words.ts'

const REFUSALS = ['stale', 'sold_out', 'busy', 'not_enough'] as const

/** Runs take.lua. */
export function take(scripts: Scripts, at: RoomAt, requests: readonly TakeRequest[]): Promise<TakeReply[]> {
  return inBatches(requests, async (batch) => {
    const args = [at.epoch, at.seenSeq, TAKE_MS, TAKES_MAX, batch.length, batch.map(textOf).join('')]
    const [seq, refusals] = listIn(await scripts.run('take', at, args))
    return readReplies(batch.length, numberIn(seq), textIn(refusals))
  })
}

function textOf({ number, fence, quantity, identity = '-', operation }: TakeRequest): string {
  assert(Number.isSafeInteger(quantity) && quantity >= 0, `A whole number of seats must be taken, not ${quantity}`)
  assert(Number.isSafeInteger(number) && number > 0, `A ticket has a number, which ${number} is not`)
  return `${number} ${fence} ${quantity} ${identity} ${escapeText(operation)}\n`
}

/** The script speaks of those it refused; all others have been taken. */
function readReplies(count: number, seq: number, refusals: string): TakeReply[] {
  const replies = new Array<TakeReply>(count).fill({ status: 'taken', seq })
  for (const refusal of refusals === '' ? [] : refusals.split('\n')) {
    const words = new Words(refusal, ' ')
    const index = words.number() - 1
    assert(index < count, `The script refused request ${index + 1} of ${count}`)
    const status = words.oneOf(REFUSALS)
    replies[index] = status === 'not_enough' ? { status, available: words.number(), seq } : { status, seq }
  }
  return replies
}
