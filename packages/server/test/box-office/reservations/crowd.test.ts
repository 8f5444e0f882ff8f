import { expect, it } from 'vitest'
import { createClaimDesk } from '../../../src/box-office/reservations/claim-desk.ts'
import type { TellParts } from '../../../src/box-office/reservations/tell-line.ts'

it('[B44] [I26] a claim beyond the limit of waiting claims is refused before any work is done for it', () => {
  const desk = createClaimDesk({} as TellParts) // none of these claims gets as far as to need it
  const coming = Array.from({ length: 801 }, () => desk.enter('event'))
  expect(() => desk.enter('event')).toThrow(expect.objectContaining({ code: 'OVERLOADED', retryAfterSeconds: 1 }))
  expect(() => desk.refuseCrowd('event')).toThrow('busy')
  desk.refuseCrowd('an event without claims')
  desk.enter('another event')()
  for (const leave of coming) leave()
  desk.enter('event')()
  expect(desk.pending).toBe(0)
})
