import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createClaimDesk, type PendingClaim } from '../../../src/box-office/reservations/claim-desk.ts'
import type { TellParts } from '../../../src/box-office/reservations/tell-line.ts'

it('[B44] [I26] a claim beyond the limit of waiting claims is refused before any work is done for it', async () => {
  const desk = createClaimDesk({} as TellParts) // claims that are let through fail for want of it
  const waiting = Array.from({ length: 801 }, () => desk.decide('event', newClaim()))
  const overloaded = { code: 'OVERLOADED', retryAfterSeconds: 1 }
  expect(() => desk.refuseCrowd('event')).toThrow(expect.objectContaining(overloaded))
  desk.refuseCrowd('an event without claims')
  expect(desk.pending).toBe(801)
  await expect(desk.decide('event', newClaim())).rejects.toMatchObject(overloaded)
  const outcomes = await Promise.allSettled(waiting)
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(desk.pending).toBe(0)
  desk.refuseCrowd('event')
})

function newClaim(): PendingClaim {
  const buyerId = randomUUID()
  return {
    ...{ operation: { actorId: buyerId, key: randomUUID(), fingerprint: '' }, reservationId: randomUUID(), buyerId },
    ...{ roomId: randomUUID(), ticketNumber: 1, fence: 1, wish: { seatIds: [randomUUID()] } },
    ...{ holdSeconds: 60, seatsPerBuyerMax: 6 },
  }
}
