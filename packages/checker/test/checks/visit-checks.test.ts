import { describe, expect, test } from 'vitest'
import { visitsEndInTime } from '../../src/checks/visits/visits-end-in-time.ts'
import { correct, join, outcome, roomLog, run } from '../history.ts'

const TIMES = { sessionMs: 60_000, reservationMs: 30_000, payingMs: 10_000 }
/** Of the session that begins at 0 s: it, one reservation and the time for paying. */
const END_MS = 100_000
const BEGUN = [
  join(1),
  { kind: 'admit', ticket: 1, atMs: 0, deadlineMs: 20_000 } as const,
  { kind: 'enter', ticket: 1, atMs: 0, deadlineMs: 60_000 } as const,
]
const reserve = (atMs: number, deadlineMs: number | null) => ({ kind: 'reserve', ticket: 1, atMs, deadlineMs }) as const
const handover = (atMs: number) => ({ kind: 'handover', ticket: 1, atMs, generation: 2, fence: 9 }) as const
const extend = { kind: 'extend', ticket: 1, atMs: 1_000, deadlineMs: 80_000, sessionEndMs: 80_000 } as const

describe('I30', () => {
  test('[I30] holds while seats are replaced within one session, one reservation and the time for paying', () => {
    const log = roomLog([...BEGUN, reserve(50_000, 80_000), reserve(55_000, null), reserve(85_000, END_MS)], TIMES)
    expect(run(visitsEndInTime, log)).toMatchObject({
      status: 'held',
      counts: { 'deadlines of reservations': 2, sessions: 1, extensions: 0 },
    })
  })

  test('[I30] is violated by a reservation that is replaced again and again, also on another device', () => {
    const log = roomLog([...BEGUN, reserve(80_000, 99_000), handover(90_000), reserve(95_000, 125_000)], TIMES)
    expect(outcome(visitsEndInTime, log)).toEqual(['Ticket 1 keeps seats 25000 ms longer than its visit may last'])
  })

  test('[I30] is violated by a session that is longer than the room allows', () => {
    const log = roomLog([join(1), { kind: 'enter', ticket: 1, atMs: 0, deadlineMs: 61_000 }], TIMES)
    expect(outcome(visitsEndInTime, log)).toEqual(['The session of ticket 1 is 1000 ms too long'])
  })

  test('[I30] more time, longer times of the room and a correction that tell of a later end allow more', () => {
    expect(outcome(visitsEndInTime, roomLog([...BEGUN, extend, reserve(90_000, END_MS + 20_000)], TIMES))).toBe('held')
    const settings = { kind: 'settings', capacity: 2, ratePerMinute: 60, burst: 2, ...TIMES } as const
    const longer = { ...settings, reservationMs: 60_000 }
    expect(outcome(visitsEndInTime, roomLog([...BEGUN, longer, reserve(90_000, END_MS + 30_000)], TIMES))).toBe('held')
    const corrected = correct(1, { deadlineMs: 80_000, sessionEndMs: 80_000 })
    expect(outcome(visitsEndInTime, roomLog([...BEGUN, corrected, reserve(90_000, END_MS + 20_000)], TIMES))).toBe(
      'held',
    )
  })

  test('[I30] is vacuous when the records do not tell the times of the room, or the end of the session', () => {
    expect(outcome(visitsEndInTime, roomLog([...BEGUN, reserve(95_000, 900_000)]))).toBe('vacuous')
    const { sessionEndMs: _, ...untold } = extend
    expect(outcome(visitsEndInTime, roomLog([...BEGUN, untold, reserve(95_000, 900_000)], TIMES))).toBe('vacuous')
  })
})
