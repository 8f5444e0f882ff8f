import type { Settlement, SettleReply } from '@seatwise/line'
import { expect, it } from 'vitest'
import { createSettling } from '../../src/rooms/settling.ts'

const told = (version: number, number: number): Settlement => ({
  ...{ version, stock: 100 - version, heldSeats: 0 },
  results: [{ operation: `claim ${number}`, number, reserved: { until: 1_000, quantity: 1 } }],
})

it('[M24] results of one version are told together, and those of another version apart and in order', async () => {
  const calls: Settlement[] = []
  const settling = createSettling(async (settlement): Promise<SettleReply> => {
    calls.push(settlement)
    return { seq: calls.length, left: [2, 3] }
  })
  const replies = await Promise.all([told(7, 1), told(7, 2), told(8, 3), told(7, 4)].map((one) => settling.send(one)))
  expect(calls.map(({ version, stock, results }) => [version, stock, results.map(({ number }) => number)])).toEqual([
    [7, 93, [1, 2, 4]],
    [8, 92, [3]],
  ])
  // Each caller gives back the seats of its own ticket only.
  expect(replies).toEqual([
    { seq: 1, left: [] },
    { seq: 1, left: [2] },
    { seq: 2, left: [3] },
    { seq: 1, left: [] },
  ])
})

it('[M24] what the line refuses fails for the callers, and later ones are told', async () => {
  let isAway = true
  const settling = createSettling(async (): Promise<SettleReply> => {
    if (isAway) throw new Error('away')
    return { seq: 1, left: [] }
  })
  await expect(settling.send(told(7, 1))).rejects.toThrow('away')
  isAway = false
  expect(await settling.send(told(8, 1))).toEqual({ seq: 1, left: [] })
})
