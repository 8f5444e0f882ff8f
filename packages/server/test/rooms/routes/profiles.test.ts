import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProfiles } from '../../../src/rooms/routes/profiles.ts'

const ROOM = 'a room'
const PEOPLE = 20_000
const TOKEN_LENGTH = 4_000

let ledger: Ledger
beforeAll(async () => {
  ledger = await openScratchLedger()
})
afterAll(() => ledger.close())

it('[A12] a cached name does not keep its token’s text in memory', () => {
  const profiles = createProfiles(ledger, new Registry())
  const before = bytesInUse()
  for (let number = 0; number < PEOPLE; number += 1) {
    const token = `${number} `.padEnd(TOKEN_LENGTH, 'x')
    profiles.remember(ROOM, number, { name: token.slice(0, 30), avatar: null })
    profiles.remember(ROOM, PEOPLE + number, { name: token.slice(0, 30), avatar: token.slice(0, 40) })
  }
  expect(bytesInUse() - before).toBeLessThan((PEOPLE * TOKEN_LENGTH) / 4)
  expect(profiles.remembered(ROOM, 7)).toEqual({ name: `7 ${'x'.repeat(28)}`, avatar: null })
  expect(profiles.remembered(ROOM, PEOPLE + 7)).toEqual({ name: `7 ${'x'.repeat(28)}`, avatar: `7 ${'x'.repeat(38)}` })
})

/** After garbage collection. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
