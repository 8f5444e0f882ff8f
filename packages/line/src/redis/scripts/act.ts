import assert from 'node:assert/strict'
import type { ActRefusal, RoomAt, TicketAct, TicketView } from '../../contract.ts'
import { textsIn } from '../wire/reply.ts'
import { readView } from '../wire/view.ts'
import { memberOf, Words } from '../wire/words.ts'
import { inBatches } from './batches.ts'
import type { Scripts } from './scripts.ts'

/** Runs a script that answers each act with a word and a view, or with a refusal and seq. */
export function runActs<Request extends TicketAct, Status extends string>(
  scripts: Scripts,
  name: string,
  at: RoomAt,
  requests: readonly Request[],
  statuses: readonly Status[],
  argsOf: (request: Request) => (string | number)[],
): Promise<(({ status: Status } & TicketView) | ActRefusal)[]> {
  return inBatches(requests, async (batch) => {
    const args = batch.flatMap((request) => [request.number, request.identity, request.generation, ...argsOf(request)])
    const answers = textsIn(await scripts.run(name, at, [at.epoch, at.seenSeq, ...args]))
    assert.equal(answers.length, batch.length)
    return answers.map((answer) => readAnswer(answer, statuses))
  })
}

function readAnswer<Status extends string>(
  answer: string,
  statuses: readonly Status[],
): ({ status: Status } & TicketView) | ActRefusal {
  const words = new Words(answer, ' ')
  const status = words.text()
  if (status === 'moved' || status === 'unknown') return { status, seq: words.number() }
  return { status: memberOf(statuses, status), ...readView(words) }
}
