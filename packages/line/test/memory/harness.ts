import { openMemoryLine } from '../../src/index.ts'
import type { LineHarness } from '../contract/harness.ts'

/** The line in memory with a clock that only tests move. */
export async function openMemoryHarness(): Promise<LineHarness> {
  let now = 1_700_000_000_000
  const line = openMemoryLine({ clock: () => now })
  return {
    line,
    advance: async (_room, ms) => {
      now += ms
    },
    close: () => line.close(),
  }
}
