import { describe, expect, it } from 'vitest'
import { Newcomers } from '../src/reservations/newcomers.ts'

const ADA = { actorId: 'ada', eventId: 'event', roomId: 'room', number: 5, deadline: 10_000 }

describe('newcomers on the floor', () => {
  it('[B10] are known by their pass, themselves, their room and their time', () => {
    const newcomers = new Newcomers()
    newcomers.learn('pass', ADA, newcomers.inquire())
    expect(newcomers.has('pass', 'ada', 'event', 9_999)).toBe(true)
    expect(newcomers.has('pass', 'bob', 'event', 9_999)).toBe(false)
    expect(newcomers.has('pass', 'ada', 'elsewhere', 9_999)).toBe(false)
    expect(newcomers.has('other', 'ada', 'event', 9_999)).toBe(false)
    expect(newcomers.has('pass', 'ada', 'event', 10_000)).toBe(false)
  })

  it('[B25] are forgotten when they reserve, and an answer from before does not bring them back', () => {
    const newcomers = new Newcomers()
    using before = newcomers.inquire()
    newcomers.learn('pass', ADA, before)
    newcomers.forget('room', 5)
    expect(newcomers.has('pass', 'ada', 'event', 0)).toBe(false)
    newcomers.learn('pass', ADA, before)
    expect(newcomers.has('pass', 'ada', 'event', 0)).toBe(false)
    newcomers.learn('pass', ADA, newcomers.inquire())
    expect(newcomers.has('pass', 'ada', 'event', 0)).toBe(true)
    using inquiry = newcomers.inquire()
    newcomers.forgetAll()
    newcomers.learn('pass', ADA, inquiry)
    expect(newcomers.has('pass', 'ada', 'event', 0)).toBe(false)
  })
})
