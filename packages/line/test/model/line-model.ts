import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LineHarness, OpenHarness } from '../contract/harness.ts'
import { openTestRoom, testSettings } from '../contract/test-room.ts'
import { type Command, histories } from './commands.ts'
import { ModelRoom } from './model-room.ts'
import { HistoryRunner, startingState } from './run-history.ts'

/** Small numbers, so that everything happens often. */
const SETTINGS = {
  ...testSettings(),
  ...{ capacity: 3, ratePerMinute: 60, burst: 4, claimSeconds: 30, sessionSeconds: 60, maxWaiting: 8 },
  ...{ heartbeatTimeoutSeconds: 20, graceSeconds: 15, awaySeconds: 60, reservationSeconds: 2 },
}

/** What must have happened in some history, or the comparison proved nothing. */
const WITNESSES = [
  ...['joined', 'restored', 'admitted', 'entered', 'completed', 'away', 'back', 'extended', 'moved', 'reserved'],
  'classed',
  ...['timeout', 'no_show', 'cancelled', 'terminated', 'sold_out', 'sale_ended', 'changed', 'opened', 'attended'],
  ...[
    'join: present',
    'join: full',
    'join: code_used',
    'join: limit_reached',
    'join: held',
    'join: log_full',
    'join: sale_ended',
  ],
  ...['restore: refused', 'enter: active', 'enter: not_admitted', 'enter: moved', 'enter: unknown', 'move: over'],
  ...['end: was_ended', 'end: not_on_floor', 'extend: already_extended', 'look: null', 'look: expired'],
  ...[
    'take: taken',
    'take: stale',
    'take: not_enough',
    'take: no_time',
    'adopt: adopted',
    'adopt: has_own',
    'adopt: nothing',
    'admitted by an operator',
  ],
]

/** A visitor who is there only for the reservation they have: random histories seldom get there. */
const OVERLONG_VISIT: Command[] = [
  { kind: 'join', visitors: [{ visitor: 0, class: 0, code: 0, limited: false, shown: false }], lost: false },
  { kind: 'advance', ms: 1_000, lost: false },
  { kind: 'admit', batch: 1, lost: false },
  {
    ...{ kind: 'settle', newer: 1, stock: 5, heldSeats: 1, lost: false },
    results: [{ ticket: 0, isClaim: false, quantity: 1, untilMs: 90_000 }],
  },
  { kind: 'advance', ms: 31_000, lost: false },
  { kind: 'take', takes: [{ ticket: 0, quantity: 1, olderFence: false }], lost: false },
  { kind: 'advance', ms: 2_000, lost: false },
  { kind: 'take', takes: [{ ticket: 0, quantity: 1, olderFence: false }], lost: false },
]

/** A visitor who asks for more seats than there are. */
const GREEDY_VISIT: Command[] = [
  { kind: 'join', visitors: [{ visitor: 0, class: 0, code: 0, limited: false, shown: false }], lost: false },
  { kind: 'settle', newer: 1, stock: 2, heldSeats: 0, results: [], lost: false },
  { kind: 'admit', batch: 1, operatorCount: 1, lost: false },
  { kind: 'take', takes: [{ ticket: 0, quantity: 5, olderFence: false }], lost: false },
]

/** A visitor who vanishes, is passed over and expires, and one who comes back in time. */
const ABSENTEES: Command[] = [
  {
    ...{ kind: 'join', lost: false },
    visitors: [0, 1, 2, 3].map((visitor) => ({ visitor, class: 0, code: 0, limited: false, shown: false })),
  },
  { kind: 'attend', ms: 15_000, lost: false },
  { kind: 'heartbeat', tickets: [2, 3], lost: false },
  { kind: 'attend', ms: 10_000, lost: false },
  { kind: 'sweep', batch: 8, lost: true },
  { kind: 'admit', batch: 1, lost: false },
  { kind: 'look', questions: [{ ticket: 1, isThief: false, olderBy: 0, heartbeat: true }], lost: true },
  { kind: 'sweep', batch: 8, lost: false },
  { kind: 'attend', ms: 16_000, lost: false },
  { kind: 'sweep', batch: 8, lost: true },
]

/** These histories have all of that, so that it is not left to luck. */
const COMPLETE = { seed: 11, numRuns: 40, examples: [[OVERLONG_VISIT], [GREEDY_VISIT], [ABSENTEES]] as [Command[]][] }

/** Random histories, with lost replies and repeated operations, against a plain model. */
export function lineModel(name: string, openHarness: OpenHarness): void {
  describe(`line model: ${name}`, () => {
    let harness: LineHarness | undefined
    beforeAll(async () => {
      harness = await openHarness()
    })
    afterAll(async () => {
      await harness?.close()
    })

    test('[L143] [L19] [L20] [L31] [L33] [L40] [L60] [L62] [L63] [L64] [M21] [M22] [M24] [M28] [M29] every answer, the state and the log are those of the model', async () => {
      if (harness === undefined) throw new Error('The line was not opened')
      const line = harness
      const witness = new Set<string>()
      const property = fc.asyncProperty(histories, (history) => playHistory(line, history, witness))
      await fc.assert(property, COMPLETE)
      expect(WITNESSES.filter((event) => !witness.has(event))).toEqual([])
      await fc.assert(property, { numRuns: process.env.SEATWISE_LONG === '1' ? 2_000 : 100, seed: testSeed() })
    }, 600_000)
  })
}

/** Plays one history in a room of its own; throws where the line and the model differ. */
export async function playHistory(
  harness: LineHarness,
  history: readonly Command[],
  witness: Set<string> = new Set(),
): Promise<void> {
  const state = { ...startingState(), settings: SETTINGS }
  const room = await openTestRoom(harness, { state, settings: SETTINGS, emptyBucket: true })
  const model = new ModelRoom(room.epoch, (await room.now()).now, state, [])
  await new HistoryRunner(room, model, witness).run(history)
}
