import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { positionsNeverRise } from '../../src/checks/order/positions-never-rise.ts'
import { positionsTrue } from '../../src/checks/order/positions-true.ts'
import type { HistoryRecord } from '../../src/index.ts'
import { admit, answer, epochLog, join, LIMITS, outcome, roomLog, run } from '../history.ts'

/** What a visitor was told: the ticket, its position, and the entry as of which it is true. */
function shown(ticket: number, rank: number, seq: number, rest: Parameters<typeof answer>[1] = {}): HistoryRecord[] {
  return answer('status', { read: true, ticket, rank, epoch: 1, seq, atMs: seq, ...rest })
}

describe('I17', () => {
  const line = roomLog([join(1), join(2), join(3), admit(1), { kind: 'leave', ticket: 2 }])

  test('[I17] holds when each client was told the rank at that entry', () => {
    const records = [...line, ...shown(3, 2, 4), ...shown(3, 1, 5), ...shown(3, 0, 6)]
    expect(run(positionsTrue, records)).toMatchObject({ status: 'held', counts: { positions: 3 } })
  })

  test('[I17] is violated by a position off by one after a leave', () => {
    expect(outcome(positionsTrue, [...line, ...shown(3, 1, 6)])).toEqual([
      'Ticket 3 was told 1, and 0 stood before it at 1-6',
    ])
  })

  test('[I17] is violated by a position of a ticket that does not wait', () => {
    expect(outcome(positionsTrue, [...line, ...shown(1, 0, 5)])).toEqual(['Ticket 1 did not wait at 1-5'])
  })

  test('[I17] does not count away tickets, and counts them again at their place', () => {
    const away = roomLog([join(1), join(2), { kind: 'away', ticket: 1 }, { kind: 'back', ticket: 1 }])
    expect(outcome(positionsTrue, [...away, ...shown(2, 0, 4), ...shown(2, 1, 5)])).toBe('held')
  })

  test('[I17] grants the rank map its error, and no more', () => {
    const crowd = roomLog(Array.from({ length: 400 }, (_, index) => join(index + 1)))
    const from = (rank: number) => [...crowd, ...shown(400, rank, 401, { exact: false }), ...shown(1, 0, 401)]
    expect(run(positionsTrue, from(391))).toMatchObject({ status: 'held', counts: { 'largest map error': 8 } })
    expect(outcome(positionsTrue, from(390))).toHaveLength(1)
  })

  test('[I17] lets the rank map be older than the ticket, and not younger than its end', () => {
    const later = (seq: number) => shown(3, 2, seq, { exact: false })
    expect(outcome(positionsTrue, [...line, ...later(3), ...shown(2, 1, 4)])).toBe('held')
    expect(outcome(positionsTrue, [...line, ...shown(2, 0, 6, { exact: false })])).toEqual([
      'Ticket 2 did not wait at 1-6',
    ])
  })

  test('[I17] is violated by an answer from a picture older than two seconds', () => {
    const old = [...line, ...shown(3, 1, 5, { atMs: 0 }), ...shown(3, 2, 4, { atMs: 2_500 })]
    expect(outcome(positionsTrue, old)).toHaveLength(1)
    expect(outcome(positionsTrue, [...line, ...shown(3, 1, 5, { atMs: 0 }), ...shown(3, 2, 4, { atMs: 900 })])).toBe(
      'held',
    )
  })

  test('[I17] judges an answer that was long on its way by when it was asked for', () => {
    const slow = shown(3, 2, 4, { atMs: 2_500, invokedMs: 900 })
    expect(outcome(positionsTrue, [...line, ...shown(3, 1, 5, { atMs: 0 }), ...slow])).toBe('held')
  })

  test('[I17] does not judge what the log lost', () => {
    const records = [...line, ...shown(3, 0, 6), ...shown(3, 7, 99)]
    expect(run(positionsTrue, records)).toMatchObject({ status: 'held', counts: { 'positions past the log': 1 } })
  })

  test('[I17] continues across a rebuild', () => {
    const opening = { kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq: 3 } as const
    const records = [...roomLog([join(1), join(2)]), ...epochLog(2, [opening, join(9)])]
    expect(outcome(positionsTrue, [...records, ...shown(9, 2, 2, { epoch: 2 })])).toBe('held')
    expect(outcome(positionsTrue, [...records, ...shown(9, 1, 2, { epoch: 2 })])).toHaveLength(1)
  })

  test('[I17] agrees with counting by hand, in whatever order the records come', () => {
    const steps = fc.array(fc.record({ leaves: fc.boolean(), pick: fc.nat(30), place: fc.nat(20) }), { maxLength: 50 })
    fc.assert(
      fc.property(steps, fc.boolean(), (moves, clientsFirst) => {
        const { log, answers } = playByHand(moves)
        const records = clientsFirst ? [...answers, ...log] : [...log, ...answers]
        expect(outcome(positionsTrue, records)).toBe(answers.length === 0 ? 'vacuous' : 'held')
      }),
      { numRuns: 200 },
    )
  })

  test('[I17] is vacuous when no client was told a position', () => {
    expect(outcome(positionsTrue, line)).toBe('vacuous')
  })
})

/** Every waiting ticket is told its position after every step. */
function playByHand(moves: readonly { leaves: boolean; pick: number; place: number }[]) {
  const bodies: Parameters<typeof roomLog>[0][number][] = []
  const answers: HistoryRecord[] = []
  let line: { ticket: number; place: number }[] = []
  let drawn = 0
  for (const { leaves, pick, place } of moves) {
    const leaver = leaves ? line[pick % Math.max(1, line.length)] : undefined
    if (leaver === undefined) {
      drawn += 1
      line.push({ ticket: drawn, place })
      bodies.push(join(drawn, { place }))
    } else {
      line = line.filter((each) => each !== leaver)
      bodies.push({ kind: 'leave', ticket: leaver.ticket })
    }
    line.sort((a, b) => a.place - b.place || a.ticket - b.ticket)
    for (const [rank, { ticket }] of line.entries()) answers.push(...shown(ticket, rank, bodies.length + 1))
  }
  return { log: roomLog(bodies), answers }
}

describe('I16', () => {
  test('[I16] holds while positions fall, and when priority or a return places a ticket before', () => {
    const log = roomLog([
      ...[join(1), join(2), join(3, { class: 2, place: 0.5 }), { kind: 'away', ticket: 1 } as const],
      ...[{ kind: 'back', ticket: 1 } as const, admit(3)],
    ])
    const told = [...shown(2, 1, 3), ...shown(2, 2, 4), ...shown(2, 1, 5), ...shown(2, 2, 6), ...shown(2, 1, 7)]
    expect(run(positionsNeverRise, [...log, ...told])).toMatchObject({
      status: 'held',
      counts: { 'positions shown again': 4, 'rises that the log explains': 2 },
    })
  })

  test('[I16] is violated by a rise that nothing explains', () => {
    const log = roomLog([join(1), join(2), join(3)])
    expect(outcome(positionsNeverRise, [...log, ...shown(2, 0, 3), ...shown(2, 1, 4)])).toEqual([
      'Ticket 2 was told 0, then 1, and 0 were put before it in between',
    ])
  })

  test('[I16] is violated when a normal join is put before those who wait', () => {
    const log = roomLog([join(1), join(2), join(3, { place: 0.5 })])
    expect(outcome(positionsNeverRise, [...log, ...shown(2, 1, 3), ...shown(2, 2, 4)])).toHaveLength(1)
  })

  test('[I16] is vacuous when no client was told twice', () => {
    expect(outcome(positionsNeverRise, [...roomLog([join(1)]), ...shown(1, 0, 2)])).toBe('vacuous')
  })
})
