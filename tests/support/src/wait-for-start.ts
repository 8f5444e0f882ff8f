import type { Child } from './child.ts'
import { waitUntil } from './wait-until.ts'

const START_TIMEOUT_MS = 60_000
/** Each probe costs the starting process as much as the test. */
const ASK_EVERY_MS = 50

/** Waits until a started process answers. One that ends instead, or never answers, throws with what it printed. */
export async function waitForStart(child: Child, answers: () => Promise<boolean>): Promise<void> {
  try {
    await waitUntil(`${child.name} answers`, () => !child.isRunning() || answers(), {
      timeoutMs: START_TIMEOUT_MS,
      everyMs: ASK_EVERY_MS,
    })
  } catch (cause) {
    await child.kill()
    throw new Error(`${child.name} did not start. It printed:\n${child.output()}`, { cause })
  }
  if (!child.isRunning()) {
    const { code, signal } = await child.exited
    throw new Error(`${child.name} ended with ${signal ?? code} instead of starting. It printed:\n${child.output()}`)
  }
}
