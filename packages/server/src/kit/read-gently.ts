import { waitMs } from './wait-ms.ts'

/** The pause after a step is so many times as long as the step took: the store is kept busy for a tenth of the time. */
const PAUSE_PER_STEP = 9
const PAUSE_MS_MIN = 2
const PAUSE_MS_MAX = 500

/** Repeats a step that reads in the background until it is done, or the server stops. Requests always come first. */
export async function readGently(step: () => Promise<'more' | 'done'>, isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    const startedAt = performance.now()
    if ((await step()) === 'done') return
    const tookMs = performance.now() - startedAt
    await waitMs(Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, tookMs * PAUSE_PER_STEP)))
  }
}
