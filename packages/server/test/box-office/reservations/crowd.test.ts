import { expect, it } from 'vitest'
import { createClaimDesk } from '../../../src/box-office/reservations/claim-desk.ts'
import type { TellParts } from '../../../src/box-office/reservations/tell-line.ts'

it('[B44] [I26] whoever comes when too many are already coming is refused before anything is done for them', () => {
  const desk = createClaimDesk({} as TellParts) // nobody of these gets as far as to need it
  const coming = Array.from({ length: 801 }, () => desk.enter('event'))
  expect(() => desk.enter('event')).toThrow(expect.objectContaining({ code: 'OVERLOADED', retryAfterSeconds: 1 }))
  expect(() => desk.refuseCrowd('event')).toThrow('busy')
  desk.refuseCrowd('an event that nobody ever came to')
  desk.enter('another event')()
  for (const leave of coming) leave()
  desk.enter('event')()
  expect(desk.pending).toBe(0)
})
