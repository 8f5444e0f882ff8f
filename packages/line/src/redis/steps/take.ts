import assert from 'node:assert/strict'
import type { RoomAt } from '../../contract.ts'
import { TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../../gate.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn, textIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'
import { Words } from '../wire/words.ts'

const WORDS = ['stale', 'no_time', 'sold_out', 'busy', 'not_enough', 'short'] as const

/** Runs take.lua. */
export function take(scripts: Scripts, at: RoomAt, requests: readonly TakeRequest[]): Promise<TakeReply[]> {
  return inBatches(requests, async (batch) => {
    const args = [at.epoch, at.seenSeq, TAKE_MS, TAKES_MAX, batch.length, batch.map(textOf).join('')]
    const [seq, lines] = listIn(await scripts.run('take', at, args))
    return readReplies(batch.length, numberIn(seq), textIn(lines))
  })
}

function textOf({ number, fence, quantity, identity = '-', operation }: TakeRequest): string {
  assert(
    Number.isSafeInteger(quantity) && quantity >= 0,
    `The quantity must be a whole number of seats, not ${quantity}`,
  )
  assert(Number.isSafeInteger(number) && number > 0, `A ticket number must be a positive integer, not ${number}`)
  return `${number} ${fence} ${quantity} ${identity} ${escapeText(operation)}\n`
}

/** The script names requests that it refused or that have little time left; all others were let through. */
function readReplies(count: number, seq: number, lines: string): TakeReply[] {
  const replies = new Array<TakeReply>(count).fill({ status: 'taken', seq })
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const words = new Words(line, ' ')
    const index = words.number() - 1
    assert(index < count, `The script answered request ${index + 1} of only ${count}`)
    replies[index] = readReply(words, seq)
  }
  return replies
}

function readReply(words: Words, seq: number): TakeReply {
  const status = words.oneOf(WORDS)
  if (status === 'not_enough') return { status, available: words.number(), seq }
  return status === 'short' ? { status: 'taken', leftSeconds: words.number(), seq } : { status, seq }
}
