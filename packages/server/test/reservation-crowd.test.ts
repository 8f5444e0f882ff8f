import { expect, it } from 'vitest'
import { createClaimDesk } from '../src/reservations/claim-desk.ts'
import type { TellParts } from '../src/reservations/tell-line.ts'

it('[B44] [I26] whoever comes when too many are already coming is refused before anything is done for them', async () => {
  const desk = createClaimDesk({} as TellParts) // nobody of these gets as far as to need it
  const served = Promise.withResolvers<void>()
  const coming = Array.from({ length: 801 }, () => desk.receive('event', () => served.promise))
  let isServed = false
  const late = async () => {
    isServed = true
  }
  await expect(desk.receive('event', late)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 })
  expect(isServed).toBe(false)
  expect(() => desk.refuseCrowd('event')).toThrow('busy')
  desk.refuseCrowd('an event that nobody ever came to')
  await desk.receive('another event', late)
  expect(isServed).toBe(true)
  served.resolve()
  await Promise.all(coming)
  await desk.receive('event', late)
})
