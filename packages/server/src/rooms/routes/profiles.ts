import { isAboutTheWork, type Ledger, readTickets } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import type { Registry } from 'prom-client'
import { measureBuffers, RecentMap, waitMs } from '../../kit/index.ts'

export interface Profile {
  readonly name: string | null
  readonly avatar: string | null
}

/** About 35 MB for each room, and rooms so crowded are few. Profiles beyond that are read from the ledger. */
const REMEMBERED_MAX = 500_000
const ROOMS_MAX = 16
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
  const rooms = new RecentMap<string, RecentMap<number, Remembered>>(ROOMS_MAX)
  const rememberedIn = (room: string): RecentMap<number, Remembered> => {
    const known = rooms.get(room)
    if (known !== undefined) return known
    const remembered = new RecentMap<number, Remembered>(REMEMBERED_MAX)
    rooms.set(room, remembered)
    return remembered
  }
  const remembered = (room: string, number: number): Profile | undefined => {
    const known = rememberedIn(room).get(number)
    return typeof known === 'string' ? { name: known, avatar: null } : known
  }
  const lookUp = createBatcher<{ room: string; number: number }, Profile | null>({
    maxItems: 500,
    maxQueued: QUEUED_MAX,
    run: (questions) => readTogether(ledger, questions),
    isAboutItems: isAboutTheWork,
  })
  measureBuffers(metrics, { profiles_of_rooms: () => rooms.size, queued_profiles: () => lookUp.queued })
  return {
    remember(room, number, profile) {
      rememberedIn(room).set(number, compact(profile))
    },
    remembered,
    async of(room, number) {
      const known = remembered(room, number)
      if (known !== undefined) return known
      try {
        const profile = await Promise.race([lookUp.send({ room, number }), waitMs(LOOK_UP_MS_MAX).then(() => null)])
        // A ticket that the ledger does not have yet is looked up again.
        if (profile !== null) rememberedIn(room).set(number, compact(profile))
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

function compact({ name, avatar }: Profile): Remembered {
  if (name !== null && avatar === null) return ownCopy(name)
  return { name: name && ownCopy(name), avatar: avatar && ownCopy(avatar) }
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
