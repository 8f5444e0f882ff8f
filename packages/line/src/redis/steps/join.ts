import assert from 'node:assert/strict'
import type { JoinReply, JoinRequest, RoomAt } from '../../contract.ts'
import { inBatches } from '../scripts/batches.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { assertIdentity, IDENTITY_BYTES } from '../wire/identity.ts'
import { listIn, numberIn, textIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'
import { readView } from '../wire/view.ts'
import { Words } from '../wire/words.ts'

const REFUSALS = [
  'not_started',
  'drawing',
  'sale_ended',
  'full',
  'sold_out',
  'log_full',
  'code_used',
  'limit_reached',
  'held',
  'proof_missing',
  'proof_spent',
  'group_over',
  'group_full',
  'in_group',
  'refused',
] as const
const STATUSES = ['joined', 'present', 'drawn', ...REFUSALS] as const

/** Runs join.lua. */
export function join(scripts: Scripts, at: RoomAt, requests: readonly JoinRequest[]): Promise<JoinReply[]> {
  return inBatches(requests, async (batch) => {
    const args = [at.epoch, at.seenSeq, batch.map(specialOf).join(''), ...batch.map(textOf)]
    const reply = listIn(await scripts.run('join', at, args))
    return readAnswers(batch, numberIn(reply[0]), textIn(reply[1]))
  })
}

/** As the log stores it. */
function textOf({ identity, code = '', limit, shown, profile }: JoinRequest): string {
  assertIdentity(identity)
  const shownText = shown === undefined ? '' : escapeText(JSON.stringify(shown))
  return `${identity}\t${escapeText(code)}\t${escapeText(limit?.key ?? '')}\t${shownText}\t${escapeText(profile)}`
}

/** Empty for ordinary requests, which almost all are; see join.lua. */
function specialOf(request: JoinRequest, index: number): string {
  const { identity, class: ticketClass, code, limit, held, proof, group, shown } = request
  const isPlain = ticketClass === 0 && code === undefined && limit === undefined && shown === undefined
  const isFree = proof === undefined && held === undefined && group === undefined
  if (isPlain && isFree && Buffer.byteLength(identity) === IDENTITY_BYTES) return ''
  return `${index + 1} ${ticketClass} ${limit?.max ?? '-'} ${heldText(held)} ${proofText(proof)} ${group ?? '-'};`
}

function heldText(held: JoinRequest['held']): string {
  return held === undefined ? '-' : [held.max, ...held.numbers].join(',')
}

function proofText(proof: JoinRequest['proof']): string {
  if (proof === undefined) return '- 0 0'
  if (proof === null) return '? 0 0'
  const { key, until, forMs } = proof
  assert(/^[\w:-]{2,64}$/.test(key))
  return `${key} ${Math.ceil(until)} ${Math.ceil(forMs)}`
}

function readAnswers(requests: readonly JoinRequest[], now: number, text: string): JoinReply[] {
  const lines = requests.length === 0 ? [] : text.split('\n')
  assert.equal(lines.length, requests.length)
  let before: JoinReply | null = null
  return requests.map((request, index) => {
    const line = lines[index] ?? ''
    before = line === '+' ? nextAfter(before) : readAnswer(request, now, line)
    return before
  })
}

/** The ticket right behind the one before. */
function nextAfter(before: JoinReply | null): JoinReply {
  assert(before !== null && before.status === 'joined' && before.rank !== null)
  return {
    ...before,
    number: before.number + 1,
    place: before.place + 1,
    rank: before.rank + 1,
    waiting: before.waiting + 1,
    seq: before.seq + 1,
  }
}

/** For a drawn ticket the script sends only what it chose; the other fields are the same for every new ticket. */
function readAnswer(request: JoinRequest, now: number, answer: string): JoinReply {
  const words = new Words(answer, ' ')
  const status = words.oneOf(STATUSES)
  if (status === 'present') return { status, ...readView(words) }
  // A new ticket that stands with a group.
  if (status === 'drawn') return { status: 'joined', ...readView(words) }
  if (status !== 'joined') return { status, seq: words.number() }
  return {
    status,
    number: words.number(),
    state: 'waiting',
    reason: null,
    away: false,
    back: false,
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
