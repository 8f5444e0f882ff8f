import type { MemberRole } from '@seatwise/domain'
import {
  forgetFormerMembers,
  type KeyFact,
  type Ledger,
  type Membership,
  noteKeysUsed,
  readTeams,
  TEAMS_FROM_THE_START,
} from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { createRefresher } from '../../kit/index.ts'
import { readApiKey } from './api-key.ts'

/** The maximum age of the list for deciding who may operate; as for ended sessions. */
const LIST_AGE_MS_MAX = 2_000
/** Former members are forgotten after a day: a server that could not read for so long reads everything again. */
const LIST_KEPT_MS = 3_600_000
const NO_TEAMS: ReadonlyMap<string, MemberRole> = new Map()

/**
 * Who is a member of which organization, and which API keys there are, in the memory of every server: so that deciding about a
 * request asks no store, and an end counts everywhere as soon as the list is read again. Both are as many as an operator
 * has made; `docs/bounds.md` says how many that can be.
 */
export interface Teams {
  of(actor: Actor): ReadonlyMap<string, MemberRole>
  findKey(key: string): Promise<Actor | null>
  /** Resolves when the list is recent enough for privileged requests; rejects when the ledger cannot be read. */
  recent(): Promise<void>
  /** Reads what changed until now. A request that changes a team waits for it, so that it counts at once on this server. */
  refresh(): Promise<void>
  /** Writes down which keys were used, and forgets what is over. */
  tidy(): Promise<void>
  readonly members: number
  readonly keys: number
}

export async function openTeams(ledger: Ledger, now: () => number): Promise<Teams> {
  const teams = new Map<string, Map<string, MemberRole>>()
  const keys = new Map<string, KeyFact>()
  const used = new Set<string>()
  let seenTo = TEAMS_FROM_THE_START
  let readAtMs = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    const startedAtMs = now()
    const isAnew = startedAtMs - readAtMs > LIST_KEPT_MS
    const since = await readTeams(ledger.db, isAnew ? TEAMS_FROM_THE_START : seenTo)
    if (isAnew) {
      teams.clear()
      keys.clear()
    }
    for (const membership of since.members) keepMembership(teams, membership)
    for (const key of since.keys) {
      if (key.isRevoked) keys.delete(key.hash)
      else keys.set(key.hash, key)
    }
    seenTo = since.seenTo
    readAtMs = startedAtMs
  }

  const refresh = createRefresher(read)

  const isRecent = (): boolean => now() - readAtMs <= LIST_AGE_MS_MAX

  await refresh()
  return {
    of({ id, role, sale, teams: own }) {
      if (role === 'key') return own ?? NO_TEAMS
      const found = sale === undefined ? teams.get(id) : undefined
      return found === undefined || !isRecent() ? NO_TEAMS : found
    },
    async findKey(text) {
      const hash = readApiKey(text)
      if (hash === null) return null
      // Another server may have made it a moment ago.
      if (!keys.has(hash)) await refresh()
      const key = keys.get(hash)
      if (key === undefined || (key.expiresAt !== null && key.expiresAt.getTime() <= now())) return null
      used.add(key.id)
      return { id: key.id, role: 'key', madeBy: key.madeBy, teams: new Map([[key.organizationId, key.role]]) }
    },
    async recent() {
      if (!isRecent()) await refresh()
    },
    refresh,
    async tidy() {
      const ids = [...used]
      used.clear()
      if (ids.length > 0) await noteKeysUsed(ledger.db, ids)
      await forgetFormerMembers(ledger.db)
    },
    get members() {
      return teams.size
    },
    get keys() {
      return keys.size
    },
  }
}

/** Maps are replaced, not changed: a request keeps the one that it was judged by. */
function keepMembership(
  teams: Map<string, Map<string, MemberRole>>,
  { userId, organizationId, role }: Membership,
): void {
  const roles = new Map(teams.get(userId))
  if (role === null) roles.delete(organizationId)
  else roles.set(organizationId, role)
  if (roles.size === 0) teams.delete(userId)
  else teams.set(userId, roles)
}
