import { expect, it } from 'vitest'
import { createCodeGuesses } from '../../../src/rooms/handover/code-guesses.ts'

const OF_ROOM = 1_000
const sender = (index: number): string => `10.0.${Math.floor(index / 250)}.${index % 250}`
const TOO_MANY = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' })

it('[R35] wrong codes of a thousand senders use a room up for every sender, and no other room', () => {
  let nowMs = 0
  const guesses = createCodeGuesses(() => nowMs)
  for (let index = 0; index < OF_ROOM; index++) guesses.begin('a', sender(index))
  expect(() => guesses.begin('a', sender(OF_ROOM))).toThrow(TOO_MANY)
  guesses.begin('b', sender(OF_ROOM))
  // Five more each second.
  nowMs += 1_000
  for (let index = 1; index <= 5; index++) guesses.begin('a', sender(OF_ROOM + index))
  expect(() => guesses.begin('a', sender(OF_ROOM + 6))).toThrow(TOO_MANY)
})

it('[R35] right codes use nothing up, neither of the sender nor of the room', () => {
  const guesses = createCodeGuesses(() => 0)
  for (let index = 0; index < 2 * OF_ROOM; index++) guesses.begin('a', sender(0)).succeeded()
  for (let index = 0; index < OF_ROOM; index++) guesses.begin('a', sender(index))
  expect(() => guesses.begin('a', sender(OF_ROOM))).toThrow(TOO_MANY)
})

it('[O64] four workers together allow one sender hardly more wrong codes than one server, and each of them a few', () => {
  const workers = Array.from({ length: 4 }, () => createCodeGuesses(() => 0, 4))
  const allowed = workers.map((guesses) => {
    let count = 0
    try {
      for (; count < 100; count += 1) guesses.begin('a room', '198.51.100.7')
    } catch {
      return count
    }
    return count
  })
  expect(allowed).toEqual([3, 3, 3, 3])
})
