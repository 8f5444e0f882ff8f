import type { KeptLog } from '../log/check-log.ts'
import type { PlaceStorage } from '../types.ts'

/** What survives a reload. The visitor's own secrets, and keys of calls with an unknown outcome. */
export interface KeptRecord {
  /** Tokens only where no HttpOnly cookie has them. */
  readonly ticketToken?: string
  /** Of a guest whom joining made: presenting it again is the same visitor. */
  readonly accessToken?: string | undefined
  /** The receipt of the ticket, and what was compared with it. */
  readonly log?: KeptLog
  /** One for each kind of call. */
  readonly keys?: Readonly<Record<string, { readonly body: string; readonly key: string } | undefined>>
}

/** One record in the visitor's storage; in memory where there is none, or where it is full or forbidden. */
export interface Kept {
  /** Read anew each time: another tab may have written. */
  read(): KeptRecord
  write(change: KeptRecord): void
  /** The key under which this very call was begun and never answered, or a new one. */
  keyFor(kind: string, body: string, newKey: () => string): string
  dropKey(kind: string): void
}

export function createKept(given: PlaceStorage | null, name: string): Kept {
  let storage = given
  let record: KeptRecord = {}
  const read = () => {
    try {
      if (storage) record = JSON.parse(storage.getItem(name) ?? '{}')
    } catch {
      // Forbidden, or not ours: what memory has is better than nothing.
    }
    return record
  }
  const write = (change: KeptRecord) => {
    record = { ...read(), ...change }
    try {
      storage?.setItem(name, JSON.stringify(record))
    } catch {
      // Full or forbidden: from now on memory alone is true.
      storage = null
    }
  }
  const setKey = (kind: string, begun?: { body: string; key: string }) =>
    write({ keys: { ...read().keys, [kind]: begun } })
  return {
    ...{ read, write },
    keyFor(kind, body, newKey) {
      const begun = read().keys?.[kind]
      if (begun?.body === body) return begun.key
      const key = newKey()
      setKey(kind, { body, key })
      return key
    },
    dropKey: (kind) => setKey(kind),
  }
}
