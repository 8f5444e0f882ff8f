import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OrderedNumbers } from '../../../src/memory/state/ordered-numbers.ts'

interface Entry {
  score: number
  number: number
}

describe('ordered numbers', () => {
  test('[L3] agree with a sorted array after any inserts and removals', () => {
    const entry = fc.record({ score: fc.integer({ min: -5, max: 40 }).map((half) => half / 2), number: fc.nat(400) })
    const command = fc.record({ entry, remove: fc.boolean() })
    fc.assert(
      fc.property(fc.array(command, { maxLength: 2_000, size: 'max' }), (commands) => {
        const numbers = new OrderedNumbers()
        const sorted: Entry[] = []
        for (const { entry, remove } of commands) applyBoth(numbers, sorted, entry, remove)
        expect(contents(numbers)).toEqual(sorted)
        for (const [rank, { score, number }] of sorted.entries()) expect(numbers.countBefore(score, number)).toBe(rank)
      }),
      { numRuns: 100 },
    )
  })

  test('[L28] stay right while a long line is appended to and emptied from its head', () => {
    const numbers = new OrderedNumbers()
    for (let number = 1; number <= 20_000; number++) numbers.insert(number, number)
    for (let number = 1; number <= 20_000; number += 3) expect(numbers.remove(number, number)).toBe(true)
    expect(numbers.size).toBe(13_333)
    expect(numbers.countBefore(20_000, 20_000)).toBe(13_332)
    let previous = 0
    for (let first = numbers.first(); first !== undefined; first = numbers.first()) {
      expect(first.number).toBeGreaterThan(previous)
      previous = first.number
      numbers.remove(first.score, first.number)
    }
    expect(numbers.size).toBe(0)
  })
})

function applyBoth(numbers: OrderedNumbers, sorted: Entry[], entry: Entry, remove: boolean): void {
  const index = sorted.findIndex(({ score, number }) => score === entry.score && number === entry.number)
  if (remove) {
    expect(numbers.remove(entry.score, entry.number)).toBe(index >= 0)
    if (index >= 0) sorted.splice(index, 1)
  } else {
    expect(numbers.insert(entry.score, entry.number)).toBe(index < 0)
    if (index < 0) sorted.push(entry)
    sorted.sort((left, right) => left.score - right.score || left.number - right.number)
  }
  expect(numbers.size).toBe(sorted.length)
  expect(numbers.has(entry.score, entry.number)).toBe(!remove)
}

function contents(numbers: OrderedNumbers): (Entry | undefined)[] {
  return Array.from({ length: numbers.size }, (_, rank) => numbers.at(rank))
}
