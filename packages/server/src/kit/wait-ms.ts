import { setTimeout } from 'node:timers/promises'

/** Waits between two attempts. The timer does not keep an otherwise finished process alive. */
export async function waitMs(ms: number): Promise<void> {
  await setTimeout(ms, undefined, { ref: false })
}
