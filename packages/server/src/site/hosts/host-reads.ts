import type { HostProfile } from '@seatwise/domain'
import { HOUSE_ID, readHost } from '@seatwise/ledger'
import type { Base } from '../../http/index.ts'
import { measureBuffers, ReadCache } from '../../kit/index.ts'

/** A profile is about 2 KB at most, nearly all of it words. */
const HOSTS_BYTES_MAX = 8 * 1_048_576
const OVERHEAD_BYTES = 512

/** Organizations as visitors see them, at most a second old, or the last good copy while the ledger is away. */
export interface HostReads {
  bySlug(slug: string): Promise<HostProfile | null>
  /** The organization whose site this is; null while nothing is known of it. */
  house(): Promise<HostProfile | null>
  /** The same without waiting: as it was when it was last read. */
  knownHouse(): HostProfile | null
  /** Must be called after a write, so that this server shows it at once. */
  forget(): void
}

export function createHostReads({ ledger, pulse, metrics, now }: Base): HostReads {
  const hosts = new ReadCache<HostProfile>({
    async load({ keys: [key = ''], isFresh }) {
      const wanted = key === HOUSE ? { id: HOUSE_ID } : { slug: key }
      const host = await pulse.ask(() => readHost(isFresh ? ledger.db : ledger.replica, wanted))
      return host === null ? new Map() : new Map([[key, host]])
    },
    weigh: ({ about }) => about.length * 2 + OVERHEAD_BYTES,
    weightMax: HOSTS_BYTES_MAX,
    batchMax: 1,
    batchesAtOnce: 2,
    waitingMax: 200,
    now,
  })
  let house: HostProfile | null = null
  measureBuffers(metrics, { cached_host_bytes: () => hosts.weight })
  return {
    bySlug: (slug) => hosts.read(slug),
    async house() {
      try {
        house = await hosts.read(HOUSE)
      } catch {
        // No page fails for want of a name at its head. It keeps the last one that was read.
      }
      return house
    },
    knownHouse: () => house,
    forget: () => hosts.forgetAll(() => true),
  }
}

/** No slug begins with a stroke. */
const HOUSE = '-house'
