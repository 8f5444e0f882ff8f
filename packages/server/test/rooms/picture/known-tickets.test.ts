import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KnownTickets } from '../../../src/rooms/picture/known-tickets.ts'

/** What happens to the few tickets of a small room, one log entry each. */
type Happening = { readonly number: number; readonly kind: 'joined' | 'away' | 'back' | 'moved' | 'expired' }
/** What a server does next: it reads an entry, it asks about a ticket, or the answer to an earlier question arrives. */
type Turn = 'read' | 'happen' | 'ask' | 'arrive'

interface Truth {
  readonly generation: number
  readonly isPresent: boolean
}
interface Answer {
  readonly number: number
  readonly seq: number
  readonly truth: Truth | undefined
}

const TICKETS = 2
const happenings = fc.record({
  number: fc.nat(TICKETS - 1),
  kind: fc.constantFrom<Happening['kind'][]>('joined', 'away', 'back', 'moved', 'expired'),
})
const turns = fc.array(fc.tuple(fc.constantFrom<Turn[]>('read', 'happen', 'ask', 'arrive'), happenings, fc.nat(9)), {
  maxLength: 80,
  size: 'max',
})

/** Plays a history in front of a server that reads the log late and gets answers later still. Returns what it got wrong. */
function wrongIn(history: readonly [Turn, Happening, number][], known: KnownTickets): string | null {
  const log: (Happening & { readonly generation: number })[] = []
  // The room after each entry: what is true as of that `seq`.
  const truths: ReadonlyMap<number, Truth>[] = [new Map()]
  const asked: Answer[] = []
  const arrived: Answer[] = []
  let readSeq = 0
  for (const [turn, happening, pick] of history) {
    if (turn === 'happen') {
      const next = after(truths.at(-1) ?? new Map(), happening)
      if (next === null) continue
      log.push({ ...happening, generation: next.get(happening.number)?.generation ?? 0 })
      truths.push(next)
    } else if (turn === 'read') {
      const entry = log[readSeq]
      if (entry === undefined) continue
      readSeq += 1
      follow(known, entry, readSeq)
    } else if (turn === 'ask') {
      const { number } = happening
      asked.push({ number, seq: log.length, truth: truths.at(-1)?.get(number) })
    } else {
      const [answer] = asked.splice(pick % Math.max(1, asked.length), 1)
      if (answer === undefined) continue
      arrived.push(answer)
      if (answer.truth?.isPresent === true) known.learn(answer.number, answer.truth.generation, answer.seq)
      else known.forget(answer.number, answer.seq)
    }
    const wrong = wrongNow(
      known,
      truths[readSeq] ?? new Map(),
      arrived.filter(({ seq }) => seq > readSeq),
    )
    if (wrong !== null) return wrong
  }
  return null
}

/** A ticket may count as waiting if it does at the entry that was read, or if an answer from after that entry said so. */
function wrongNow(known: KnownTickets, truth: ReadonlyMap<number, Truth>, newer: readonly Answer[]): string | null {
  for (let number = 0; number < TICKETS; number++) {
    for (let generation = 1; generation < 6; generation++) {
      if (!known.isWaiting(number, generation)) continue
      const isRight = [
        truth.get(number),
        ...newer.filter((answer) => answer.number === number).map(({ truth }) => truth),
      ]
      if (!isRight.some((one) => one?.isPresent === true && one.generation === generation)) {
        return `ticket ${number} of generation ${generation} counts as waiting`
      }
    }
  }
  return null
}

function follow(
  known: KnownTickets,
  { number, kind, generation }: Happening & { generation: number },
  seq: number,
): void {
  if (kind === 'joined') known.learn(number, generation, seq)
  else if (kind === 'away') known.leave(number, seq)
  else if (kind === 'back') known.comeBack(number, seq)
  else known.forget(number, seq)
}

/** Null when this cannot happen now. */
function after(truth: ReadonlyMap<number, Truth>, { number, kind }: Happening): Map<number, Truth> | null {
  const next = new Map(truth)
  const ticket = truth.get(number)
  if (kind === 'joined') return ticket === undefined ? next.set(number, { generation: 1, isPresent: true }) : null
  if (ticket === undefined || ticket.generation === 0) return null
  if (kind === 'expired') return next.set(number, { generation: 0, isPresent: false })
  if (kind === 'moved') return next.set(number, { ...ticket, generation: ticket.generation + 1 })
  return ticket.isPresent === (kind === 'away') ? next.set(number, { ...ticket, isPresent: kind === 'back' }) : null
}

/** The guard off: an answer counts whenever it arrives. */
class Credulous extends KnownTickets {
  override learn(number: number, generation: number): void {
    super.learn(number, generation, Number.MAX_SAFE_INTEGER)
  }
}

describe('tickets known to be waiting', () => {
  it('[R50] [R12] whatever overtakes what, no ticket counts as waiting after the log said otherwise', () => {
    fc.assert(
      fc.property(turns, (history) => {
        expect(wrongIn(history, new KnownTickets())).toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })

  it('[R50 control] an answer that counts although the log overtook it breaks that', () => {
    const failed = fc.check(
      fc.property(turns, (history) => wrongIn(history, new Credulous()) === null),
      { numRuns: 2_000 },
    )
    expect(failed.failed).toBe(true)
  })

  it('[J64] a ticket above class 0 has the place that the log or the store told last, until it leaves or the line is drawn', () => {
    const known = new KnownTickets()
    known.learn(7, 1, 1)
    expect(known.placeAbove(7)).toBeUndefined()
    known.raise(7, 2.5, 5)
    known.learnAbove(7, 1, 9, 4)
    expect([known.isWaiting(7, 1), known.placeAbove(7)], 'an older answer').toEqual([true, 2.5])
    known.raise(8, 3.5, 6)
    expect([known.isWaiting(8, 1), known.placeAbove(8)], 'only the store knows its generation').toEqual([
      false,
      undefined,
    ])
    known.forget(7, 7)
    expect(known.placeAbove(7)).toBeUndefined()
    known.learnAbove(9, 1, 4, 8)
    known.forgetAbove(9)
    known.learnAbove(9, 1, 4, 8)
    expect([known.isWaiting(9, 1), known.placeAbove(9)], 'drawn').toEqual([false, undefined])
  })

  it('[R50] a ticket that was away keeps its generation, so that coming back elsewhere costs no question here', () => {
    const known = new KnownTickets()
    known.learn(7, 3, 1)
    known.leave(7, 2)
    expect(known.isWaiting(7, 3)).toBe(false)
    known.comeBack(7, 3)
    expect(known.isWaiting(7, 3)).toBe(true)
    known.leave(8, 4)
    known.comeBack(8, 5)
    expect([0, 1, 128].map((generation) => known.isWaiting(8, generation))).toEqual([false, false, false])
    known.learn(9, 128, 6)
    expect(known.isWaiting(9, 128)).toBe(false)
  })
})
