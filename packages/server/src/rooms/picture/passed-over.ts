import type { LogEntry } from '@seatwise/domain'
import { RecentMap } from '../../kit/index.ts'

/** Those of whom it is remembered; others are only back. */
const REMEMBERED_MAX = 20_000
/** So long they are told after they came back: by the page that they opened, and by what it asks then. */
const TOLD_MS = 5_000
const NOT_BACK = Number.POSITIVE_INFINITY

/**
 * Tickets that were passed over because nobody was there, and since when they are back. Looking brings a ticket back
 * before it is answered, so that only the log still knows of it.
 */
export class PassedOver {
  readonly #backAt = new RecentMap<number, number>(REMEMBERED_MAX)

  get size(): number {
    return this.#backAt.size
  }

  follow({ change }: LogEntry, now: number): void {
    if (change.kind === 'away') this.#backAt.set(change.number, NOT_BACK)
    else if (change.kind === 'back') this.#backAt.set(change.number, now)
  }

  /** Of somebody who waits. When the log has not told yet that they are back, they came this very moment. */
  isJustBack(number: number, now: number): boolean {
    const backAt = this.#backAt.get(number)
    return backAt !== undefined && now - backAt < TOLD_MS
  }

  clear(): void {
    this.#backAt.clear()
  }
}
