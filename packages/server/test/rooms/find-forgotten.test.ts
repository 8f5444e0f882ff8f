import type { TicketRow } from '@seatwise/ledger'
import { expect, it } from 'vitest'
import { type FindParts, findForgotten } from '../../src/rooms/find-forgotten.ts'

type Ticket = Parameters<typeof findForgotten>[1]
type View = Parameters<typeof findForgotten>[2]

const ticket: Ticket = {
  ...{ room: 'room', number: 7, identity: 'ada', generation: 1, place: 7, class: 0, epoch: 3, joinedAt: 1_000 },
}
const row: TicketRow = {
  ...{ number: 7, identity: 'ada', class: 0, place: 7, state: 'waiting', reason: null, away: false, generation: 1 },
  ...{ extended: false, standsWith: null, leftIdentity: null, joinedAt: 1_000, name: null, avatar: null },
}
const unknown: View = {
  ...{ number: 7, state: null, reason: null, away: false, back: false, rank: null, place: 0, class: 0, generation: 0 },
  ...{ joinedAt: 0, deadline: null, fence: null, extended: false, waiting: 0, seq: 1, now: 2_000, epoch: 3 },
}

function find(found: TicketRow | null): Promise<View> {
  const parts: FindParts = {
    lookUp: async () => found,
    epoch: 3,
    restore: () => Promise.reject(new Error('A ticket of this epoch is not restored')),
  }
  return findForgotten(parts, ticket, unknown)
}

it('[R19] a ticket that is live in the ledger and unknown to the line is not answered as unknown', async () => {
  await expect(find(row)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 })
})

it('[R21] the ledger knows how a ticket ended; one of another identity, or of none, is unknown', async () => {
  expect(await find({ ...row, state: 'expired', reason: 'timeout' })).toMatchObject({
    state: 'expired',
    reason: 'timeout',
  })
  expect((await find({ ...row, identity: 'bob' })).state).toBeNull()
  expect((await find(null)).state).toBeNull()
})
