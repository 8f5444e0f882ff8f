import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { type House, type HouseRow, pickSeats } from '../../src/index.ts'

describe('best available', () => {
  it('[B20] takes seats side by side in one row whenever a row has them', () => {
    fc.assert(
      fc.property(house(), fc.integer({ min: 1, max: 6 }), fc.integer(), ({ seats, free }, quantity, seed) => {
        const picked = pickSeats(seats, (index) => free.has(index), { quantity, accessible: false, seed })
        const longest = longestRun(seats, (index) => free.has(index) && !seats.accessible[index])
        const total = [...free].filter((index) => !seats.accessible[index]).length
        if (total < quantity) return equal(picked, null)
        ok(picked !== null)
        equal(new Set(picked).size, quantity)
        ok(picked.every((index) => free.has(index) && !seats.accessible[index]))
        if (longest >= quantity) ok(isOneBlock(seats, picked), `${picked} is not one block although there is one`)
      }),
      { numRuns: 500 },
    )
  })

  it('[B21] leaves no seat alone if it can be avoided', () => {
    const row = rowOf(1, 10)
    const taken = new Set([2, 3])
    const picked = pickSeats(houseOf([row]), (index) => !taken.has(index), { quantity: 2, accessible: false, seed: 1 })
    ok(picked !== null)
    const left = row.indexes.filter((index) => !taken.has(index) && !picked.includes(index))
    for (const index of left) ok(left.includes(index - 1) || left.includes(index + 1), `seat ${index + 1} is alone`)
  })

  it('[B22] sits near the focus, in the front row', () => {
    const rows = houseOf([rowOf(1, 21), rowOf(1, 21, 21)])
    deepEqual(
      pickSeats(rows, () => true, { quantity: 3, accessible: false, seed: 5 }),
      [9, 10, 11],
    )
  })

  it('[B282] one accessible seat is enough for a party: companions sit beside it', () => {
    const accessible = [true, true, false, false, true, false, false, false]
    const seats = { ...houseOf([rowOf(1, 8)]), accessible }
    for (let seed = 0; seed < 30; seed++) {
      for (const quantity of [1, 2, 3]) {
        const picked = pickSeats(seats, () => true, { quantity, accessible: true, seed }) ?? []
        equal(picked.filter((index) => accessible[index]).length, 1)
        equal(picked.at(-1), (picked[0] ?? 0) + quantity - 1)
      }
    }
    // Where only accessible seats are left together, both are given: a party is not sent away.
    const free = (index: number) => index < 2
    equal(pickSeats(seats, free, { quantity: 2, accessible: true, seed: 1 })?.length, 2)
  })

  it('[B23] keeps accessible seats for those who ask, and gives them one', () => {
    const seats = { ...houseOf([rowOf(1, 6)]), accessible: [false, false, true, false, false, false] }
    const free = () => true
    for (let seed = 0; seed < 50; seed++) {
      equal(pickSeats(seats, free, { quantity: 2, accessible: false, seed })?.includes(2), false)
      equal(pickSeats(seats, free, { quantity: 2, accessible: true, seed })?.includes(2), true)
    }
    equal(
      pickSeats(seats, (index) => index === 2, { quantity: 1, accessible: false, seed: 1 }),
      null,
    )
  })

  it('[B24] chooses by seed among equals, the same for the same seed', () => {
    const rows = houseOf([rowOf(1, 20)])
    const picks = Array.from({ length: 60 }, (_, seed) =>
      pickSeats(rows, () => true, { quantity: 1, accessible: false, seed }),
    )
    equal(new Set(picks.map(String)).size, 2, 'seats 10 and 11 are equally near to 10.5')
    deepEqual(
      picks[7],
      pickSeats(rows, () => true, { quantity: 1, accessible: false, seed: 7 }),
    )
  })

  it('[B20] falls back to as few groups as possible', () => {
    const rows = houseOf([rowOf(1, 3), rowOf(1, 2, 3)])
    const picked = pickSeats(rows, () => true, { quantity: 5, accessible: false, seed: 1 })
    deepEqual(
      picked?.toSorted((a, b) => a - b),
      [0, 1, 2, 3, 4],
    )
  })
})

function rowOf(first: number, last: number, offset = 0): HouseRow {
  const along = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  return { along, indexes: along.map((_, at) => offset + at), focus: (first + last) / 2 }
}

function houseOf(rows: HouseRow[]): House {
  return { rows, accessible: rows.flatMap(({ along }) => along.map(() => false)) }
}

function house() {
  const row = fc.array(fc.record({ free: fc.boolean(), accessible: fc.boolean(), gap: fc.boolean() }), {
    minLength: 1,
    maxLength: 14,
  })
  return fc.array(row, { minLength: 1, maxLength: 5 }).map((drawn) => {
    const rows: HouseRow[] = []
    const accessible: boolean[] = []
    const free = new Set<number>()
    for (const seats of drawn) {
      let last = 0
      const along: number[] = []
      const indexes: number[] = []
      for (const seat of seats) {
        last += seat.gap ? 2 : 1
        along.push(last)
        indexes.push(accessible.length)
        if (seat.free) free.add(accessible.length)
        accessible.push(seat.accessible && seat.gap)
      }
      rows.push({ along, indexes, focus: (1 + last) / 2 })
    }
    return { seats: { rows, accessible }, free }
  })
}

function longestRun({ rows }: House, maySit: (index: number) => boolean): number {
  let longest = 0
  for (const { along, indexes } of rows) {
    let run = 0
    for (const [at, spot] of along.entries()) {
      const continues = at > 0 && spot === (along[at - 1] ?? 0) + 1
      run = maySit(indexes[at] ?? -1) ? (continues ? run + 1 : 1) : 0
      longest = Math.max(longest, run)
    }
  }
  return longest
}

function isOneBlock({ rows }: House, picked: readonly number[]): boolean {
  const row = rows.find(({ indexes }) => indexes.includes(picked[0] ?? -1))
  if (row === undefined || !picked.every((index) => row.indexes.includes(index))) return false
  const along = picked.map((index) => row.along[row.indexes.indexOf(index)] ?? 0).toSorted((a, b) => a - b)
  return along.every((spot, at) => at === 0 || spot === (along[at - 1] ?? 0) + 1)
}
