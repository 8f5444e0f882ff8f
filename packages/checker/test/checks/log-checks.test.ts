import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashesChain } from '../../src/checks/log/hashes-chain.ts'
import { logWithoutGaps } from '../../src/checks/log/log-without-gaps.ts'
import { realTimeOrder } from '../../src/checks/order/real-time-order.ts'
import type { ClientRecord, LogRecord } from '../../src/index.ts'
import { admit, answer, epochLog, join, LIMITS, outcome, roomLog, run } from '../history.ts'

describe('I21', () => {
  const flushed = (afterSeq: number) =>
    ({ kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq }) as const

  test('[I21] holds over entries in order, repeated entries, and an epoch change with its reason', () => {
    const first = roomLog([join(1), join(2), admit(1)])
    const records = [...first, ...first.slice(1, 3), ...epochLog(2, [flushed(4), admit(2)])]
    expect(run(logWithoutGaps, records)).toMatchObject({
      status: 'held',
      counts: { entries: 6, 'epoch changes': 1, 'entries seen again': 2 },
    })
  })

  test('[I21] holds for an entry in several parts', () => {
    const [opening, ...joins] = roomLog([join(1), join(2), join(3)])
    const batch = joins.map((entry, part) => ({ ...entry, seq: 2, part, operation: 'one batch' }))
    if (opening === undefined) throw new Error('unreachable')
    expect(outcome(logWithoutGaps, [opening, ...batch])).toBe('held')
    expect(outcome(logWithoutGaps, [opening, ...batch.filter(({ part }) => part !== 1)])).toHaveLength(1)
  })

  test('[I21] is violated by a gap', () => {
    const records = roomLog([join(1), join(2), join(3)]).filter(({ seq }) => seq !== 3)
    expect(outcome(logWithoutGaps, records)).toEqual(['Entry 1-4 does not follow 1-2'])
  })

  test('[I21] is violated by two contents of one entry', () => {
    const records = roomLog([join(1), join(2)])
    const [, second] = records
    if (second === undefined) throw new Error('unreachable')
    const forged = { ...second, atMs: second.atMs + 1 } as LogRecord
    expect(outcome(logWithoutGaps, [...records, forged])).toEqual(['Entry 1-2 has two contents'])
  })

  test('[I21] is violated by an entry that the old epoch got in after its end', () => {
    const records = [...roomLog([join(1), join(2)]), ...epochLog(2, [flushed(2), join(3)])]
    expect(outcome(logWithoutGaps, records)).toEqual(['Entry 1-3 was accepted after epoch 1 had ended at 2'])
  })

  test('[I21] is violated by an epoch that ended later than its last entry, or has no reason', () => {
    expect(outcome(logWithoutGaps, [...roomLog([join(1)]), ...epochLog(2, [flushed(9)])])).toHaveLength(1)
    expect(outcome(logWithoutGaps, epochLog(2, [join(1)]))).toEqual(['Epoch 2 begins without saying why'])
    expect(outcome(logWithoutGaps, epochLog(1, [{ kind: 'epoch', reason: '', ...LIMITS }]))).toEqual([
      'Epoch 1 has no reason',
    ])
  })

  test('[I21] is vacuous without a log', () => {
    expect(outcome(logWithoutGaps, [])).toBe('vacuous')
  })
})

describe('I22', () => {
  const enter = (ticket: number) => ({ kind: 'enter', ticket }) as const
  const client = (
    operation: string,
    phase: ClientRecord['phase'],
    monotonicMs: number,
    seq?: number,
  ): ClientRecord => ({
    record: 'client',
    client: `client of ${operation}`,
    call: `${operation} at ${monotonicMs}`,
    phase,
    monotonicMs,
    action: 'join',
    operation,
    room: 'room',
    ...(seq === undefined ? {} : { epoch: 1, seq }),
  })
  const call = (operation: string, fromMs: number, toMs: number, seq?: number) => [
    client(operation, 'invoke', fromMs),
    client(operation, 'ok', toMs, seq),
  ]

  test('[I22] holds when the log keeps the order of what did not overlap', () => {
    const records = [...call('a', 0, 10, 2), ...call('b', 20, 30, 3), ...call('c', 5, 25, 4)]
    expect(run(realTimeOrder, records)).toMatchObject({ status: 'held', counts: { 'ordered pairs': 1 } })
  })

  test('[I22] is violated when a later request comes before an earlier answer in the log', () => {
    expect(outcome(realTimeOrder, [...call('a', 0, 10, 3), ...call('b', 20, 30, 2)])).toEqual([
      'join b was asked after join a was answered, and stands at 1-2, not after 1-3',
    ])
  })

  test('[I22] accepts overlapping calls in either order', () => {
    const records = [...call('a', 0, 10, 3), ...call('b', 10, 30, 2), ...call('c', 40, 50, 9)]
    expect(outcome(realTimeOrder, records)).toBe('held')
  })

  test('[I22] finds the entry of an unknown outcome in the log', () => {
    const log = roomLog([
      { ...join(1), operation: 'b' },
      { ...join(2), operation: 'a' },
    ])
    const lost = [client('b', 'invoke', 20), client('b', 'info', 30)]
    expect(outcome(realTimeOrder, [...log, ...call('a', 0, 10), ...lost])).toHaveLength(1)
    expect(
      outcome(realTimeOrder, [
        ...log,
        client('b', 'invoke', 0),
        client('b', 'info', 5),
        ...call('a', 10, 20),
        ...call('c', 30, 40, 9),
      ]),
    ).toBe('held')
  })

  test('[I22] places a repeated operation at its first attempt', () => {
    const repeated = [
      client('a', 'invoke', 0),
      client('a', 'info', 5),
      client('a', 'invoke', 40),
      client('a', 'ok', 50, 2),
    ]
    expect(outcome(realTimeOrder, [...repeated, ...call('b', 10, 20, 3), ...call('c', 60, 70, 4)])).toBe('held')
  })

  test('[I22] ignores reads', () => {
    const read = call('r', 20, 30, 1).map((record) => ({ ...record, read: true }))
    expect(outcome(realTimeOrder, [...call('a', 0, 10, 3), ...read, ...call('b', 40, 50, 4)])).toBe('held')
  })

  test('[I22] places a join by its ticket, and joining again changes nothing', () => {
    const log = roomLog([join(1), join(2)])
    const joined = (ticket: number, atMs: number) => answer('join', { ticket, atMs, client: `${ticket}` })
    const inOrder = [...log, ...joined(1, 0), ...joined(2, 10), ...joined(1, 20)]
    expect(run(realTimeOrder, inOrder)).toMatchObject({ status: 'held', counts: { operations: 2 } })
    expect(outcome(realTimeOrder, [...log, ...joined(2, 0), ...joined(1, 10)])).toHaveLength(1)
  })

  test('[I22] accepts that an act lost by a rebuild is repeated later', () => {
    const opening = { kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq: 3 } as const
    const brought = { kind: 'return', ticket: 3, place: 3, class: 0, identity: 'visitor-3' } as const
    const log = [...roomLog([join(1), join(2)]), ...epochLog(2, [opening, join(9), brought, enter(2), enter(1)])]
    const lost = [
      ...answer('join', { ticket: 3, atMs: 0, epoch: 1, seq: 4 }),
      ...answer('enter', { ticket: 1, atMs: 10, client: 'early' }),
    ]
    const later = [
      ...answer('join', { ticket: 9, atMs: 20, epoch: 2, seq: 2 }),
      ...answer('enter', { ticket: 2, atMs: 30 }),
      ...answer('enter', { ticket: 1, atMs: 40, client: 'late' }),
    ]
    expect(run(realTimeOrder, [...log, ...lost, ...later])).toMatchObject({
      status: 'held',
      counts: { 'done again after a loss': 1 },
    })
  })

  test('[I22] is vacuous when everything overlapped', () => {
    expect(outcome(realTimeOrder, [...call('a', 0, 10, 2), ...call('b', 5, 15, 3)])).toBe('vacuous')
  })
})

describe('I21, the hashes', () => {
  /** As a log is served: each entry with its text and its hash. */
  const chained = (records: readonly LogRecord[]): LogRecord[] => {
    let hash = ''
    return records.map((record) => {
      const hashedText = JSON.stringify(record)
      hash = createHash('sha256')
        .update(hash + hashedText)
        .digest('hex')
      return { ...record, hashedText, hash }
    })
  }
  const served = chained(roomLog([join(1), join(2), admit(1), join(3)]))
  const without = (index: number) => served.filter((_, each) => each !== index)
  const broken = (seq: number) => `The hash of entry 1-${seq} is not that of the hash before it and its text`

  test('[I21] holds over a chain of hashes, and over an entry in several parts', () => {
    expect(outcome(hashesChain, served)).toBe('held')
    const [first, second, ...rest] = served as [LogRecord, LogRecord, ...LogRecord[]]
    expect(outcome(hashesChain, [first, { ...second, part: 0 }, { ...second, part: 1 }, ...rest])).toBe('held')
  })

  test('[I21] is violated by an entry that was altered, with its old hash or with one that fits it', () => {
    const altered = served.map((record) => (record.seq === 3 ? { ...record, hashedText: '{}' } : record))
    expect(outcome(hashesChain, altered)).toEqual([broken(3)])
    const [before] = served.filter(({ seq }) => seq === 2)
    const hash = createHash('sha256').update(`${before?.hash}{}`).digest('hex')
    const hashed = served.map((record) => (record.seq === 3 ? { ...record, hashedText: '{}', hash } : record))
    expect(outcome(hashesChain, hashed)).toEqual([broken(4)])
  })

  test('[I21] is violated by an entry that was removed, inserted or moved', () => {
    expect(outcome(hashesChain, without(0))).toEqual([broken(2)])
    expect(outcome(hashesChain, without(2))).toEqual([broken(4)])
    const [first, second, third, ...rest] = served as [LogRecord, LogRecord, LogRecord, ...LogRecord[]]
    expect(outcome(hashesChain, [first, second, second, third, ...rest])).toEqual([broken(2), broken(3)].slice(0, 1))
    expect(outcome(hashesChain, [first, third, second, ...rest])).toHaveLength(3)
  })

  test('[I21] is violated by an entry without its hash or its text', () => {
    const [first, second] = served as [LogRecord, LogRecord]
    const { hash: _, ...bare } = second
    const { hashedText: __, ...mute } = second
    expect(outcome(hashesChain, [first, bare as LogRecord])).toEqual(['Entry 1-2 has no hash'])
    expect(outcome(hashesChain, [first, mute as LogRecord])).toEqual(['Entry 1-2 has no text to hash'])
  })

  test('[I21] is vacuous without hashes', () => {
    expect(outcome(hashesChain, roomLog([join(1)]))).toBe('vacuous')
  })
})
