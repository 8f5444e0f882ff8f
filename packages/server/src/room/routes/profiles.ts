import { createBatcher } from '@seatwise/line'
import { type Ledger, readTickets } from '@seatwise/seats'
import { RecentMap } from '../../access/recent-map.ts'
import { waitMs } from '../wait-ms.ts'
import type { Profile } from './tell-standing.ts'

/** About 20 MB. Whoever is not remembered is looked up in the ledger, together with others. */
const REMEMBERED_MAX = 100_000
/** A name is not worth waiting for either, when the ledger is slow or away. */
const LOOK_UP_MS_MAX = 250
const NOBODY: Profile = { name: null, avatar: null }

/** Name and avatar that visitors gave when they joined, to tell them again. */
export interface Profiles {
  remember(room: string, number: number, profile: Profile): void
  of(room: string, number: number): Promise<Profile>
}

export function createProfiles(ledger: Ledger): Profiles {
  const remembered = new RecentMap<string, Profile>(REMEMBERED_MAX)
  const lookUp = createBatcher<{ room: string; number: number }, Profile | null>({
    maxItems: 500,
    maxQueued: 10_000,
    run: (questions) => readTogether(ledger, questions),
  })
  return {
    remember(room, number, profile) {
      remembered.set(`${room}/${number}`, profile)
    },
    async of(room, number) {
      const key = `${room}/${number}`
      const known = remembered.get(key)
      if (known !== undefined) return known
      try {
        const profile = await Promise.race([lookUp.send({ room, number }), waitMs(LOOK_UP_MS_MAX).then(() => null)])
        // A ticket that the ledger has not seen yet is looked up again.
        if (profile !== null) remembered.set(key, profile)
        return profile ?? NOBODY
      } catch {
        // A name is not worth failing for: where somebody stands can be told without the ledger.
        return NOBODY
      }
    },
  }
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
