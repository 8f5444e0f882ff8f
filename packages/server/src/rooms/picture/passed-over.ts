import type { LogEntry } from '@seatwise/domain'
import { RecentMap } from '../../kit/index.ts'

/** Visitors beyond this number are not told that they were passed over. */
const REMEMBERED_MAX = 20_000
/** How long a visitor is told after coming back: by the page they opened, and by its next polls. */
const TOLD_MS = 5_000
const NOT_BACK = Number.POSITIVE_INFINITY

/**
 * Tickets that were passed over while their visitor was absent, and since when the visitor is back. Polling brings a
 * ticket back before it is answered, so that only the log still shows the absence.
 */
export class PassedOver {
  readonly #backAt = new RecentMap<number, number>(REMEMBERED_MAX)

  get size(): number {
    return this.#backAt.size
  }

  follow({ change }: LogEntry, now: number): void {
    if (change.kind === 'away') for (const number of change.numbers) this.#backAt.set(number, NOT_BACK)
    else if (change.kind === 'back') for (const number of change.numbers) this.#backAt.set(number, now)
  }

  /** For a waiting visitor. If the log does not show the return yet, the visitor came back this moment. */
  isJustBack(number: number, now: number): boolean {
    const backAt = this.#backAt.get(number)
    return backAt !== undefined && now - backAt < TOLD_MS
  }

  clear(): void {
    this.#backAt.clear()
  }
}
