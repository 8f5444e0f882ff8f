import { isLedgerAway } from '@seatwise/ledger'
import { type Copy, type Document, makeDocument, type Pulse, RecentMap, tellAge } from '../../kit/index.ts'
import type { SeatMaps } from './open-seat-maps.ts'
import type { SeatMapCopy } from './seat-map-copy.ts'

/** Visitors who look at one map have few different versions of it. */
const ANSWERS_MAX = 1_000

/** Tells what changed in seat maps. */
export interface SeatChanges {
  /** What changed since a version; null when a client with that version must load the whole map. Rules B15, C10. */
  since(eventId: string, version: number): Promise<Copy<Document> | null>
}

export function createSeatChanges(seatMaps: SeatMaps, pulse: Pulse): SeatChanges {
  const answers = new RecentMap<string, { readonly version: number; readonly document: Document }>(ANSWERS_MAX)

  function answerFrom(copy: SeatMapCopy, eventId: string, version: number): Document | null {
    const key = `${eventId} ${version}`
    const known = answers.get(key)
    if (known?.version === copy.version) return known.document
    const changes = copy.changesSince(version)
    if (changes === null) return null
    const document = makeDocument(JSON.stringify({ version: copy.version, changes }))
    answers.set(key, { version: copy.version, document })
    return document
  }

  return {
    async since(eventId, version) {
      const found = await latest(seatMaps, pulse, eventId, version)
      if (found === null) return null
      const document = answerFrom(found.value, eventId, version)
      return document === null ? null : { ...found, value: document }
    },
  }
}

async function latest(
  seatMaps: SeatMaps,
  pulse: Pulse,
  eventId: string,
  version: number,
): Promise<Copy<SeatMapCopy> | null> {
  try {
    let copy = seatMaps.peek(eventId) ?? (await pulse.ask(() => seatMaps.read(eventId)))
    // The client loaded the map a moment ago, and is ahead of our copy.
    if (copy !== null && copy.version < version) copy = await pulse.ask(() => seatMaps.refresh(eventId))
    return copy === null ? null : { value: copy, staleSeconds: null }
  } catch (error) {
    const last = isLedgerAway(error) ? seatMaps.last(eventId) : null
    return last === null ? null : { value: last.copy, staleSeconds: tellAge(last.ageMs) }
  }
}
