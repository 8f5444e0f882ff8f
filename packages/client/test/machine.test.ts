import { describe, expect, it } from 'vitest'
import { hear, type News, remember, show } from '../src/device/memory.ts'
import { isLive, NEXT, NEXT_REACH, type ReachEvent, type Status } from '../src/place/machine.ts'
import type { Reach } from '../src/types.ts'
import { position, roomNow } from './support/told.ts'

const STATUSES: Status[] = ['waiting', 'admitted', 'active', 'completed', 'expired', 'moved', 'lost']
const FINAL = new Set<Status>(['completed', 'expired', 'moved', 'lost'])

/** How each state is told. */
const TOLD = {
  waiting: { kind: 'position', position: position({ status: 'waiting', rank: 3 }), skewMs: 0 },
  admitted: { kind: 'position', position: position({ status: 'admitted', rank: null }), skewMs: 0 },
  active: { kind: 'position', position: position({ status: 'active', rank: null, activeToken: 'pass' }), skewMs: 0 },
  completed: { kind: 'position', position: position({ status: 'completed', rank: null }), skewMs: 0 },
  expired: { kind: 'position', position: position({ status: 'expired', rank: null, reason: 'no_show' }), skewMs: 0 },
  moved: { kind: 'refused', code: 'TICKET_MOVED' },
  lost: { kind: 'refused', code: 'BAD_TICKET' },
} as const satisfies Record<Status, News>

const memoryIn = (status: Status) => hear(remember(position({ rank: 9 }), 0, 0), TOLD[status], 0)

describe.each(STATUSES)('%s', (from) => {
  it.each(STATUSES)('[K2] told %s', (told) => {
    const expected = FINAL.has(from) ? from : told
    expect(NEXT[from][told]).toBe(expected)
    expect(show(hear(memoryIn(from), TOLD[told], 0)).status).toBe(expected)
  })

  it('[K2] hears everything else without changing its state', () => {
    const others: News[] = [
      { kind: 'room', room: roomNow({ seq: 50 }) },
      { kind: 'reach', event: 'failed' },
      { kind: 'acted', change: {} },
      ...['QUEUE_MOVE', 'SNAPSHOT', 'POSITION', 'SOLD_OUT', 'MESSAGE', 'OCCUPANCY', 'SEATS', 'SOMETHING_NEW'].map(
        (type): News => ({ kind: 'push', message: { ...roomNow({ seq: 60 }), type, rank: 1, moves: null, from: 0 } }),
      ),
    ]
    for (const news of others) expect(show(hear(memoryIn(from), news, 0)).status).toBe(from)
    expect(isLive(from)).toBe(!FINAL.has(from))
  })
})

it('[K2] how well the server is reached: every state answers every event', () => {
  const table: Record<Reach, Record<ReachEvent, Reach>> = {
    ok: { answered: 'ok', failed: 'retrying', wentOffline: 'offline', cameOnline: 'ok' },
    retrying: { answered: 'ok', failed: 'retrying', wentOffline: 'offline', cameOnline: 'retrying' },
    offline: { answered: 'ok', failed: 'offline', wentOffline: 'offline', cameOnline: 'retrying' },
  }
  expect(NEXT_REACH).toEqual(table)
})

it('[K3] what is older than the last word is dropped, in every epoch', () => {
  const memory = hear(remember(position({ seq: 20, rank: 5 }), 0, 0), TOLD.admitted, 0)
  expect(show(memory).status).toBe('waiting')
  const later = hear(
    memory,
    { kind: 'position', position: position({ seq: 21, status: 'admitted', rank: null }), skewMs: 0 },
    0,
  )
  expect(show(later).status).toBe('admitted')
  const stale = hear(later, { kind: 'position', position: position({ seq: 20, rank: 5 }), skewMs: 0 }, 0)
  expect(stale.status).toBe('admitted')
  const rebuilt = hear(later, { kind: 'position', position: position({ epoch: 2, seq: 1, rank: 5 }), skewMs: 0 }, 0)
  expect(show(rebuilt)).toMatchObject({ status: 'waiting' })
})

it('[K3] a turn that was pushed is not taken back by a poll that is older', () => {
  const waiting = remember(position({ seq: 20, rank: 0 }), 0, 0)
  const message = { type: 'ACTIVE', epoch: 1, seq: 25, status: 'admitted', expiresAt: '2026-11-15T10:00:00.000Z' }
  const called = hear(waiting, { kind: 'push', message }, 0)
  expect(show(called)).toMatchObject({ status: 'admitted', expiresAt: message.expiresAt })
  const older = hear(called, { kind: 'position', position: position({ seq: 24, rank: 0 }), skewMs: 0 }, 0)
  expect(show(older).status).toBe('admitted')
  const pushedLate = hear(called, { kind: 'push', message: { ...message, seq: 3, expiresAt: 'never' } }, 0)
  expect(show(pushedLate)).toMatchObject({ expiresAt: message.expiresAt })
})

it('[K12] a deadline is told on the own clock, however wrong it is', () => {
  const expiresAt = '2026-11-15T10:00:00.000Z'
  const told = position({ status: 'admitted', rank: null, expiresAt })
  expect(show(remember(told, 3_600_000, 0))).toMatchObject({ endsAt: Date.parse(expiresAt) - 3_600_000 })
})
