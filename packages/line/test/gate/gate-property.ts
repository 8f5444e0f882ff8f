import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LineHarness, OpenHarness } from '../contract/harness.ts'
import { openTestRoom } from '../contract/test-room.ts'
import { type GateHistory, gateHistories } from './gate-commands.ts'
import { GateRunner } from './gate-runner.ts'
import { TestLedger } from './test-ledger.ts'

const FAR_FUTURE = 4_000_000_000_000
/** Long times, so that no ticket expires by itself. */
const SETTINGS = { claimSeconds: 3_600, sessionSeconds: 86_400, heartbeatTimeoutSeconds: 3_600 }
/** What must have happened in some history, or nothing was proved. */
const WITNESSES = [
  ...['taken', 'not_enough', 'left', 'waits for stock', 'waits for nothing'],
  ...['sold at the door', 'refused at the door'],
]

/** These histories have all of that, so that it is not left to luck. */
const COMPLETE = { seed: 10, numRuns: 20 }

/** Random sales between the floor and a ledger, with servers that are late, repeat themselves and die. */
export function gateProperty(name: string, openHarness: OpenHarness): void {
  describe(`gate property: ${name}`, () => {
    let harness: LineHarness | undefined
    beforeAll(async () => {
      harness = await openHarness()
    })
    afterAll(async () => {
      await harness?.close()
    })

    test('[B11] [B12] [B166] [I27] a ticket on the floor without seats can always reserve one', async () => {
      if (harness === undefined) throw new Error('The line was not opened')
      const line = harness
      const witness = new Set<string>()
      const property = fc.asyncProperty(gateHistories, (history) => playGate(line, history, { witness }))
      await fc.assert(property, COMPLETE)
      expect(WITNESSES.filter((event) => !witness.has(event))).toEqual([])
      await fc.assert(property, { numRuns: process.env.SEATWISE_LONG === '1' ? 3_000 : 100, seed: testSeed() })
    }, 300_000)
  })
}

/** Plays one history in a room of its own; throws where a promise is broken. */
export async function playGate(
  harness: LineHarness,
  { seats, capacity, commands }: GateHistory,
  { announces = true, witness = new Set<string>() } = {},
): Promise<void> {
  const counts = { version: 1, stock: seats, heldSeats: 0 }
  const room = await openTestRoom(harness, {
    state: { stock: seats, heldSeats: 0, stockVersion: 1 },
    settings: { ...SETTINGS, capacity, keepLineWhenSoldOut: true },
  })
  await new GateRunner(room, new TestLedger(counts, FAR_FUTURE), announces, witness).run(commands)
}
