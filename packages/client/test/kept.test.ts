import { expect, it } from 'vitest'
import { createKept } from '../src/device/kept.ts'
import { memoryStorage } from './support/memory-storage.ts'

it('[K23] a call goes on under its key until it is answered, and another choice has another key', () => {
  const storage = memoryStorage()
  let made = 0
  const newKey = () => {
    made += 1
    return `key ${made}`
  }
  const kept = createKept(storage, 'place')
  expect(kept.keyFor('reserve', '{"seatIds":["A1"]}', newKey)).toBe('key 1')
  expect(kept.keyFor('pay', '{"reservationId":"R1"}', newKey)).toBe('key 2')
  // After a reload the same call has the same key.
  expect(createKept(storage, 'place').keyFor('reserve', '{"seatIds":["A1"]}', newKey)).toBe('key 1')
  expect(kept.keyFor('reserve', '{"seatIds":["A2"]}', newKey)).toBe('key 3')
  kept.dropKey('reserve')
  expect(kept.keyFor('reserve', '{"seatIds":["A2"]}', newKey)).toBe('key 4')
  expect(kept.keyFor('pay', '{"reservationId":"R1"}', newKey)).toBe('key 2')
})
