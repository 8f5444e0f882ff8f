import assert from 'node:assert/strict'
import type { Admission, AdmitLimit, RoomAt } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { textIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'
import { Words } from '../wire/words.ts'

const HOLDS = ['paused', 'held', 'unfollowed', 'not_open', 'not_drawn', 'closed', 'sold_out', '-'] as const

/** Runs admit.lua. */
export async function admit(scripts: Scripts, at: RoomAt, limit: AdmitLimit): Promise<Admission> {
  const { batch, operation, operatorCount } = limit
  assert(batch > 0, `The batch must be at least 1, not ${batch}`)
  const args = [at.epoch, at.seenSeq, batch, escapeText(operation), operatorCount ?? '']
  const answer = textIn(await scripts.run('admit', at, args))
  const [summary = '', ...tickets] = answer.split('\n')
  const admission = readSummary(new Words(summary, ' '))
  for (const ticket of tickets) readTicket(admission, new Words(ticket, ' '))
  return admission
}

function readSummary(words: Words): Admission {
  const heldBy = words.oneOf(HOLDS)
  return {
    admitted: [],
    ended: [],
    away: [],
    heldBy: heldBy === '-' ? null : heldBy,
    more: words.flag(),
    waiting: words.number(),
    floor: words.number(),
    unreserved: words.number(),
    nextAt: words.numberOrNull(),
    seq: words.number(),
    now: words.number(),
  }
}

function readTicket(admission: Admission, words: Words): void {
  const what = words.oneOf(['admitted', 'ended', 'away'])
  const number = words.number()
  if (what === 'away') admission.away.push(number)
  else if (what === 'ended') admission.ended.push({ number, reason: words.reason() })
  else {
    const [ticketClass, fence, deadline, waitedMs] = [
      words.ticketClass(),
      words.number(),
      words.number(),
      words.number(),
    ]
    admission.admitted.push({ number, class: ticketClass, fence, deadline, waitedMs })
  }
}
