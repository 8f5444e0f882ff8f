import { expect, test } from 'vitest'
import { readShortCode, shortCodeOf, spellShortCode } from '../../src/index.ts'

test('[B173] every symbol can be drawn, and none looks like another', () => {
  const drawn = new Set(
    Array.from({ length: 32 }, (_, value) => shortCodeOf(new Uint8Array(8).fill(value + 32)).charAt(0)),
  )
  expect(drawn.size).toBe(32)
  for (const symbol of 'OILU') expect(drawn.has(symbol)).toBe(false)
  expect(() => shortCodeOf(new Uint8Array(7))).toThrow(/8 bytes/)
})

test('[B174] case, spaces, hyphens and letters that look like digits are forgiven, everything else is not', () => {
  expect(readShortCode(' 7k3m-9pqx ')).toBe('7K3M9PQX')
  expect(readShortCode('oOiIlL00')).toBe('00111100')
  expect(readShortCode(spellShortCode('7K3M9PQX'))).toBe('7K3M9PQX')
  for (const typed of ['', '7K3M9PQ', '7K3M9PQXX', '7K3M9PQU', '7K3M9PQ!', 'é'.repeat(8)]) {
    expect(readShortCode(typed)).toBeNull()
  }
})
