import { isAboutTheWork, type Ledger, readTickets } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import type { Registry } from 'prom-client'
import { measureBuffers, NumberSet, RecentMap, waitMs } from '../../kit/index.ts'

export interface Profile {
  readonly name: string | null
  readonly avatar: string | null
}

/** About 200 MB: a million visitors with names fit in half of it. Names beyond that are read from the ledger. */
const NAMED_MAX = 2_000_000
/** Twice as many rooms as a server opens, so that none of those is dropped. */
const ROOMS_MAX = 2_000
/** Visitors without a name take a bit each, up to this ticket number: 8 MB in a room. */
const NAMELESS_MAX = 64_000_000
/** Ticket numbers are below this, so a number is unique together with its room's first key. */
const KEYS_OF_ROOM = 2 ** 32
const QUEUED_MAX = 10_000
/** A name is not worth a long wait when the ledger is slow or unavailable. */
const LOOK_UP_MS_MAX = 250
const NOBODY: Profile = { name: null, avatar: null }

/** The names and avatars that visitors gave when they joined, to show them again. */
export interface Profiles {
  remember(room: string, number: number, profile: Profile): void
  of(room: string, number: number): Promise<Profile>
  /** The cached profile, without asking the ledger. */
  remembered(room: string, number: number): Profile | undefined
}

export function createProfiles(ledger: Ledger, metrics: Registry): Profiles {
  const cache = new ProfileCache()
  const lookUp = createBatcher<{ room: string; number: number }, Profile | null>({
    maxItems: 500,
    maxQueued: QUEUED_MAX,
    run: (questions) => readTogether(ledger, questions),
    isAboutItems: isAboutTheWork,
  })
  measureBuffers(metrics, { cached_names: () => cache.size, queued_profiles: () => lookUp.queued })
  return {
    remember: (room, number, profile) => cache.set(room, number, profile),
    remembered: (room, number) => cache.get(room, number),
    async of(room, number) {
      const known = cache.get(room, number)
      if (known !== undefined) return known
      try {
        const profile = await Promise.race([lookUp.send({ room, number }), waitMs(LOOK_UP_MS_MAX).then(() => null)])
        // A ticket that the ledger does not have yet is looked up again.
        if (profile !== null) cache.set(room, number, profile)
        return profile ?? NOBODY
      } catch {
        // A missing name must not fail the request: the position is known without the ledger.
        return NOBODY
      }
    },
  }
}

/** Most visitors have a name and no avatar: then only the name is stored, in half the memory. */
type Remembered = Profile | string

/** The profiles of all rooms under one bound. Many visitors are guests without a name, and cost a bit. */
class ProfileCache {
  readonly #rooms = new RecentMap<string, { firstKey: number; nameless: NumberSet }>(ROOMS_MAX)
  readonly #named = new RecentMap<number, Remembered>(NAMED_MAX)
  #roomsSeen = 0

  get size(): number {
    return this.#named.size
  }

  get(room: string, number: number): Profile | undefined {
    const { firstKey, nameless } = this.#room(room)
    if (nameless.has(number)) return NOBODY
    const known = this.#named.get(firstKey + number)
    return typeof known === 'string' ? { name: known, avatar: null } : known
  }

  set(room: string, number: number, { name, avatar }: Profile): void {
    const { firstKey, nameless } = this.#room(room)
    if (name === null && avatar === null) {
      nameless.add(number)
      return
    }
    nameless.delete(number)
    const isNameOnly = name !== null && avatar === null
    const kept = isNameOnly ? ownCopy(name) : { name: name && ownCopy(name), avatar: avatar && ownCopy(avatar) }
    this.#named.set(firstKey + number, kept)
  }

  #room(room: string): { firstKey: number; nameless: NumberSet } {
    const known = this.#rooms.get(room)
    if (known !== undefined) return known
    const added = { firstKey: this.#roomsSeen * KEYS_OF_ROOM, nameless: new NumberSet(NAMELESS_MAX) }
    this.#roomsSeen += 1
    this.#rooms.set(room, added)
    return added
  }
}

/** Copies a text: a slice of a longer one, such as a token, would keep all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString()
}

async function readTogether(
  ledger: Ledger,
  questions: readonly { room: string; number: number }[],
): Promise<(Profile | null)[]> {
  const rooms = Map.groupBy(questions, ({ room }) => room)
  const found = new Map<string, Profile>()
  for (const [room, tickets] of rooms) {
    const rows = await readTickets(
      ledger.replica,
      room,
      tickets.map(({ number }) => number),
    )
    for (const { number, name, avatar } of rows) found.set(`${room}/${number}`, { name, avatar })
  }
  return questions.map(({ room, number }) => found.get(`${room}/${number}`) ?? null)
}
