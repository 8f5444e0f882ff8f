import assert from 'node:assert/strict'
import type { JoinReply, JoinRequest, RoomAt } from '../contract.ts'
import { inBatches } from './batches.ts'
import { assertIdentity } from './identity.ts'
import { listIn, numberIn, textIn } from './reply.ts'
import type { Scripts } from './scripts.ts'
import { escapeText } from './text.ts'
import { readView } from './view.ts'
import { Words } from './words.ts'

const REFUSALS = [
  'not_started',
  'sale_ended',
  'full',
  'sold_out',
  'log_full',
  'code_used',
  'limit_reached',
  'refused',
] as const
const STATUSES = ['joined', 'present', ...REFUSALS] as const

/** Runs join.lua. */
export function join(scripts: Scripts, at: RoomAt, requests: readonly JoinRequest[]): Promise<JoinReply[]> {
  return inBatches(requests, async (batch) => {
    const reply = listIn(await scripts.run('join', at, [at.epoch, at.seenSeq, ...batch.flatMap(argsOf)]))
    assert.equal(reply.length, batch.length + 1)
    const now = numberIn(reply[0])
    return batch.map((request, index) => readAnswer(request, now, textIn(reply[index + 1])))
  })
}

function argsOf({ identity, class: ticketClass, code = '', limit, shown, profile }: JoinRequest): (string | number)[] {
  assertIdentity(identity)
  return [
    identity,
    ticketClass,
    limit?.max ?? '',
    [code, limit?.key ?? '', shown === undefined ? '' : JSON.stringify(shown), profile].map(escapeText).join('\t'),
  ]
}

/** The script answers a drawn ticket in few words; the rest is what every new ticket has. */
function readAnswer(request: JoinRequest, now: number, answer: string): JoinReply {
  const words = new Words(answer, ' ')
  const status = words.oneOf(STATUSES)
  if (status === 'present') return { status, ...readView(words) }
  if (status !== 'joined') return { status, seq: words.number() }
  return {
    status,
    number: words.number(),
    state: 'waiting',
    reason: null,
    away: false,
    place: words.number(),
    rank: words.number(),
    class: request.class,
    generation: 1,
    joinedAt: now,
    deadline: null,
    fence: null,
    extended: false,
    waiting: words.number(),
    seq: words.number(),
    now,
  }
}
