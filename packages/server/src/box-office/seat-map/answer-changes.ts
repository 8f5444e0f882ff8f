import { type Document, makeDocument, RecentMap } from '../../kit/index.ts'
import type { SeatMaps } from './open-seat-maps.ts'

/** Visitors who look at one map have few different versions of it. */
const ANSWERS_MAX = 1_000

/** Tells what changed in seat maps. */
export interface SeatChanges {
  /** What changed since a version; null when a client with that version must load the whole map. Rule B15. */
  since(eventId: string, version: number): Promise<Document | null>
}

export function createSeatChanges(seatMaps: SeatMaps): SeatChanges {
  const answers = new RecentMap<string, { readonly version: number; readonly document: Document }>(ANSWERS_MAX)
  return {
    async since(eventId, version) {
      let copy = await seatMaps.read(eventId)
      // The client loaded the map a moment ago, and is ahead of our copy.
      if (copy !== null && copy.version < version) copy = await seatMaps.refresh(eventId)
      if (copy === null) return null
      const key = `${eventId} ${version}`
      const known = answers.get(key)
      if (known?.version === copy.version) return known.document
      const changes = copy.changesSince(version)
      if (changes === null) return null
      const document = makeDocument(JSON.stringify({ version: copy.version, changes }))
      answers.set(key, { version: copy.version, document })
      return document
    },
  }
}
