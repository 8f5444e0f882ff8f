import type { Sale } from '../sale/sale.ts'
import type { Measurements } from './measurements.ts'

export interface RoomWatchParts {
  readonly url: URL
  readonly sale: Sale
  readonly measurements: Measurements
  readonly serverBytes: () => number | null
  /** After each look. */
  readonly onLook: () => void
}

const LOOK_MS = 1_000
const ANSWER_MS_MAX = 5_000

/** Reads the room's public document once a second and records it. Returns a function that stops it. */
export function watchRoom({ url, sale, measurements, serverBytes, onLook }: RoomWatchParts): () => void {
  const address = new URL(`/api/events/${sale.eventId}/queue/now`, url)
  const look = async (): Promise<void> => {
    const second = measurements.now()
    second.serverBytes = serverBytes()
    second.driverBytes = process.memoryUsage.rss()
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
      if (!answer.ok) return
      // The wire contract says what this document is.
      const now = (await answer.json()) as { waiting: number; active: number; remainingSeats: number | null }
      Object.assign(second, { waiting: now.waiting, active: now.active, remainingSeats: now.remainingSeats })
    } catch {
      // A gap in the curve is what the reader should see.
    }
  }
  const timer = setInterval(() => {
    void look().finally(onLook)
  }, LOOK_MS)
  return () => clearInterval(timer)
}
