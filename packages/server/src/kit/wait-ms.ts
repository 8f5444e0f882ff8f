import { setTimeout } from 'node:timers/promises'

/** Waits between two tries. Does not keep a process alive that is otherwise done. */
export async function waitMs(ms: number): Promise<void> {
  await setTimeout(ms, undefined, { ref: false })
}
