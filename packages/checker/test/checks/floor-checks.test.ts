import { describe, expect, test } from 'vitest'
import { onePassPerTicket } from '../../src/checks/visits/one-pass-per-ticket.ts'
import { protectedCallsAdmitted } from '../../src/checks/visits/protected-calls-admitted.ts'
import { answer, epochLog, join, LIMITS, outcome, roomLog, run } from '../history.ts'

describe('I19', () => {
  const fenced = (ticket: number, fence: number) => ({ kind: 'admit', ticket, fence }) as const
  const moved = (fence?: number) =>
    ({ kind: 'handover', ticket: 1, generation: 2, ...(fence === undefined ? {} : { fence }) }) as const
  const pass = (fence: number, atMs: number, phase: 'ok' | 'fail' = 'ok') =>
    answer('enter', { ticket: 1, fence, isProtected: true, atMs, phase })

  test('[I19] holds when each pass has a newer fence and older ones are refused', () => {
    const log = roomLog([join(1), join(2), fenced(1, 4), fenced(2, 5), moved(6)])
    const calls = [...pass(4, 0), ...pass(6, 10), ...pass(4, 20, 'fail')]
    expect(run(onePassPerTicket, [...log, ...calls])).toMatchObject({
      status: 'held',
      counts: { passes: 2, 'passes replaced': 1, 'calls with a pass': 3, 'stale fences refused': 1 },
    })
  })

  test('[I19] is violated by admitting a ticket that has a pass', () => {
    expect(outcome(onePassPerTicket, roomLog([fenced(1, 4), fenced(1, 5)]))).toEqual([
      'Ticket 1 was admitted while it had a pass',
    ])
  })

  test('[I19] is violated by a fence that does not grow, and by a hand-over without a new one', () => {
    expect(outcome(onePassPerTicket, roomLog([fenced(1, 5), fenced(2, 5)]))).toEqual([
      'The fence 5 does not come after 5',
    ])
    expect(outcome(onePassPerTicket, roomLog([fenced(1, 5), moved()]))).toEqual([
      'Ticket 1 went to another device, and the old pass still counts',
    ])
  })

  test('[I19] is violated by serving an older pass after a newer one was known', () => {
    const log = roomLog([fenced(1, 4), moved(6)])
    expect(outcome(onePassPerTicket, [...log, ...pass(6, 0), ...pass(4, 10)])).toEqual([
      'Ticket 1 was served under fence 4, although 6 was known before',
    ])
    expect(outcome(onePassPerTicket, [...log, ...pass(6, 0), ...pass(4, 1)])).toBe('held')
  })

  test('[I19] is vacuous when no ticket got a pass', () => {
    expect(outcome(onePassPerTicket, roomLog([join(1)]))).toBe('vacuous')
  })
})

describe('I20', () => {
  const admitted = { kind: 'admit', ticket: 1, atMs: 1_000, deadlineMs: 2_000 } as const
  const entered = (atMs: number) => ({ kind: 'enter', ticket: 1, atMs, deadlineMs: 9_000 }) as const
  const complete = (atMs: number) => ({ kind: 'complete', ticket: 1, atMs }) as const
  const enter = (atMs: number, ticket = 1) => answer('enter', { ticket, isProtected: true, atMs })

  test('[I20] holds for acts on the floor inside the window, and for calls of those who were admitted', () => {
    const log = roomLog([join(1), admitted, entered(1_999), complete(8_999)])
    expect(run(protectedCallsAdmitted, [...log, ...enter(5)])).toMatchObject({
      status: 'held',
      counts: { 'acts on the floor': 2, 'protected calls served': 1 },
    })
  })

  test('[I20] is violated by an act without an admission, or after the window', () => {
    expect(outcome(protectedCallsAdmitted, roomLog([join(1), entered(1_000)]))).toEqual([
      'Ticket 1 was not on the floor',
    ])
    expect(outcome(protectedCallsAdmitted, roomLog([join(1), admitted, entered(2_000)]))).toEqual([
      'The time of ticket 1 was over at 2000',
    ])
    expect(outcome(protectedCallsAdmitted, roomLog([admitted, complete(1_500), complete(1_600)]))).toHaveLength(1)
  })

  test('[I20] grants a reservation its own deadline, and the session its own when it is lost', () => {
    const reserved = (deadlineMs: number | null) => ({ kind: 'reserve', ticket: 1, atMs: 1_500, deadlineMs }) as const
    const bodies = [join(1), admitted, entered(1_400), reserved(20_000)]
    expect(outcome(protectedCallsAdmitted, roomLog([...bodies, complete(19_999)]))).toBe('held')
    expect(outcome(protectedCallsAdmitted, roomLog([...bodies, reserved(null), complete(9_000)]))).toHaveLength(1)
  })

  test('[I20] is violated by serving a ticket that was never admitted, or was known to have ended', () => {
    const log = roomLog([join(1), admitted, entered(1_100), complete(1_200)])
    expect(outcome(protectedCallsAdmitted, [...log, ...enter(5, 7)])).toHaveLength(1)
    const known = answer('complete', { ticket: 1, state: 'completed', atMs: 5 })
    expect(outcome(protectedCallsAdmitted, [...log, ...known, ...enter(50)])).toHaveLength(1)
    expect(outcome(protectedCallsAdmitted, [...log, ...known, ...enter(3)])).toBe('held')
  })

  test('[I20] an admission may have been in the tail that was lost, and only there', () => {
    const first = roomLog([join(1), { ...admitted, fence: 12 }, entered(1_100), complete(1_200)])
    const second = epochLog(2, [
      { kind: 'epoch', reason: 'missing', ...LIMITS },
      join(9),
      { kind: 'admit', ticket: 9, fence: 30 },
    ])
    const served = (fence: number) => answer('enter', { ticket: 7, fence, isProtected: true, atMs: 5 })
    expect(run(protectedCallsAdmitted, [...first, ...second, ...served(14)])).toMatchObject({
      status: 'held',
      counts: { 'served in a tail that was lost': 1 },
    })
    expect(outcome(protectedCallsAdmitted, [...first, ...second, ...served(11)])).toHaveLength(1)
    expect(outcome(protectedCallsAdmitted, [...first, ...second, ...served(31)])).toHaveLength(1)
    expect(outcome(protectedCallsAdmitted, [...first, ...served(14)])).toHaveLength(1)
  })

  test('[I20] is vacuous when no ticket acted on the floor', () => {
    expect(outcome(protectedCallsAdmitted, roomLog([join(1), admitted]))).toBe('vacuous')
  })
})
