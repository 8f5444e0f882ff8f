import { createBatcher } from '@seatwise/line'
import { expect, it } from 'vitest'
import { createSlowRefusals } from '../../src/http/slow-refusals.ts'
import { VirtualTime } from '../support/virtual-time.ts'

/*
 * A crowd at a desk in virtual time. The store takes as long for each claim as for the one before, one call after the other.
 * People come at a fixed rate, try again at once when they are refused, and are gone after two seconds.
 */

const CLAIM_MS = 25
const CALL_MS = 5
const CAPACITY = 1_000 / CLAIM_MS
const PATIENCE_MS = 2_000
const WARM_MS = 3_000
const START_MS = 6_000
const END_MS = 11_000

it.for([2, 5, 10])(
  '[L50] [O55] at %i times a store’s capacity, nine tenths of the capacity is served in time',
  async (times) => {
    const time = new VirtualTime()
    let freeAtMs = 0
    const desk = createBatcher<number, number>({
      ...{ maxItems: 200, maxQueued: 10_000, patienceMs: 800, msPerItem: 1, now: () => time.nowMs },
      run: async (items) => {
        freeAtMs = Math.max(time.nowMs, freeAtMs) + CALL_MS + CLAIM_MS * items.length
        await time.until(freeAtMs)
        return items
      },
    })
    const refusals = createSlowRefusals(
      () => false,
      (ms) => time.until(time.nowMs + ms),
    )
    let coming = 0
    let good = 0
    const isServed = async (): Promise<boolean> => {
      try {
        desk.refuseBehind(coming)
        coming += 1
        await desk.send(1).finally(() => {
          coming -= 1
        })
        return true
      } catch {
        await refusals.hold()
        return false
      }
    }
    const visit = async (wantedAtMs: number): Promise<void> => {
      await time.until(wantedAtMs)
      while (time.nowMs - wantedAtMs < PATIENCE_MS) {
        if (!(await isServed())) continue
        if (time.nowMs - wantedAtMs <= PATIENCE_MS && time.nowMs > START_MS && time.nowMs <= END_MS) good += 1
        return
      }
    }
    for (let at = 0; at < WARM_MS; at += CLAIM_MS) void visit(at)
    for (let at = WARM_MS; at < END_MS; at += CLAIM_MS / times) void visit(at)
    await time.runTo(END_MS)
    expect(good / ((END_MS - START_MS) / 1_000)).toBeGreaterThanOrEqual(0.9 * CAPACITY)
  },
)
