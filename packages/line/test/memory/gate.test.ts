import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Line, OUTSIDE_FROM, type TakeReply } from '../../src/index.ts'
import { withDefect } from '../contract/with-defect.ts'
import { gateHistories } from '../gate/gate-commands.ts'
import { gateProperty, playGate } from '../gate/gate-property.ts'
import { openMemoryHarness } from './harness.ts'

gateProperty('memory', openMemoryHarness)

/** Always the same histories: whether a defect is found must not depend on luck. */
const CONTROL_SEED = 1

const TAKEN: TakeReply = { status: 'taken', seq: 0 }

/** Gates with one defect each. If no promise is broken by it, the property proves nothing. */
const DEFECTS: { name: string; of: (line: Line) => Partial<Line> }[] = [
  {
    name: 'lets every claim through',
    of: () => ({ take: async (_, requests) => requests.map(() => ({ status: 'taken', seq: 0 })) }),
  },
  {
    name: 'counts one seat for every claim',
    of: (line) => ({
      take: (at, requests) =>
        line.take(
          at,
          requests.map((request) => ({ ...request, quantity: Math.min(1, request.quantity) })),
        ),
    }),
  },
  {
    name: 'believes older news',
    of: (line) => {
      let calls = 0
      return { settle: (at, settlement) => line.settle(at, { ...settlement, version: 100 + calls++ }) }
    },
  },
]

describe('gate property: control', () => {
  for (const { name, of } of DEFECTS) {
    test(`[B11 control] a gate that ${name} breaks a promise`, async () => {
      const harness = await openMemoryHarness()
      const broken = withDefect(harness, of(harness.line))
      const property = fc.asyncProperty(gateHistories, (history) => playGate(broken, history))
      expect(await fc.check(property, { numRuns: 20_000, seed: CONTROL_SEED, endOnFailure: true })).toMatchObject({
        failed: true,
      })
      await harness.close()
    })
  }

  test('[B166 control] a gate that lets sales at the door through unasked breaks a promise', async () => {
    const harness = await openMemoryHarness()
    const { line } = harness
    const broken = withDefect(harness, {
      async take(at, requests) {
        const asked = requests.filter(({ number }) => number < OUTSIDE_FROM)
        const replies = (await line.take(at, asked)).values()
        return requests.map(({ number }) => (number < OUTSIDE_FROM ? replies.next().value : undefined) ?? TAKEN)
      },
    })
    const property = fc.asyncProperty(gateHistories, (history) => playGate(broken, history))
    expect(await fc.check(property, { numRuns: 20_000, seed: CONTROL_SEED, endOnFailure: true })).toMatchObject({
      failed: true,
    })
    await harness.close()
  })

  test('[M25 control] giving seats back without telling the gate first breaks a promise', async () => {
    const harness = await openMemoryHarness()
    const property = fc.asyncProperty(gateHistories, (history) => playGate(harness, history, { announces: false }))
    expect(await fc.check(property, { numRuns: 20_000, seed: CONTROL_SEED, endOnFailure: true })).toMatchObject({
      failed: true,
    })
    await harness.close()
  })
})
