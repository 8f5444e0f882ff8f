import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Line } from '../../src/index.ts'
import { withDefect } from '../contract/with-defect.ts'
import { histories } from '../model/commands.ts'
import { lineModel, playHistory } from '../model/line-model.ts'
import { openMemoryHarness } from './harness.ts'

lineModel('memory', openMemoryHarness)

/** Always the same histories: whether a defect is found must not depend on luck. */
const CONTROL_SEED = 1

/** Lines with one defect each. If the comparison does not find it, it proves nothing. */
const DEFECTS: { name: string; of: (line: Line) => Partial<Line> }[] = [
  { name: 'loses heartbeats', of: () => ({ heartbeat: async () => ({ back: [] }) }) },
  { name: 'marks no absentees', of: (line) => ({ sweep: (at) => line.sweep(at, { batch: 0 }) }) },
  {
    name: 'admits again when a reply was lost',
    of: (line) => {
      let calls = 0
      return { admit: (at, limit) => line.admit(at, { ...limit, operation: `${limit.operation}-${calls++}` }) }
    },
  },
  {
    name: 'moves again when a reply was lost',
    of: (line) => {
      let calls = 0
      return {
        move: (at, requests) => {
          calls++
          return line.move(
            at,
            requests.map((request) => ({ ...request, operation: `${request.operation}-${calls}` })),
          )
        },
      }
    },
  },
  {
    name: 'answers a batch backwards',
    of: (line) => ({ look: async (...ask) => (await line.look(...ask)).toReversed() }),
  },
  {
    name: 'ignores who holds a ticket',
    of: (line) => ({
      end: (at, requests) =>
        line.end(
          at,
          requests.map((request) => ({ ...request, as: 'terminated' })),
        ),
    }),
  },
  {
    name: 'believes older news of the seats',
    of: (line) => {
      let calls = 0
      return { settle: (at, settlement) => line.settle(at, { ...settlement, version: 1_000 + calls++ }) }
    },
  },
  {
    name: 'counts a claim again when a reply was lost',
    of: (line) => {
      let calls = 0
      return {
        take: (at, requests) => {
          calls++
          return line.take(
            at,
            requests.map((request) => ({ ...request, operation: `${request.operation}-${calls}` })),
          )
        },
      }
    },
  },
  { name: 'forgets nothing when trimmed', of: () => ({ trim: async () => undefined }) },
]

describe('line model: control', () => {
  for (const { name, of } of DEFECTS) {
    test(`[L20 control] a line that ${name} is caught`, async () => {
      const harness = await openMemoryHarness()
      const broken = withDefect(harness, of(harness.line))
      const property = fc.asyncProperty(histories, (history) => playHistory(broken, history))
      expect(await fc.check(property, { numRuns: 3_000, seed: CONTROL_SEED, endOnFailure: true })).toMatchObject({
        failed: true,
      })
      await harness.close()
    })
  }
})
