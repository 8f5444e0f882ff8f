import { type BrandRow, readBrand } from '@seatwise/ledger'
import type { Base } from '../../http/index.ts'
import { measureBuffers, RecentMap } from '../../kit/index.ts'

/** Every waiting visitor's page reads it, and it rarely changes. */
const BRAND_AGE_MS_MAX = 5_000
/** As many as rooms that one server works with. */
const BRANDS_MAX = 1_000

export interface BrandReads {
  of(roomId: string): Promise<BrandRow>
  /** Must be called after writing a brand, so that this server uses it at once; a replica may lag. */
  remember(roomId: string, brand: BrandRow): void
}

const PLAIN: BrandRow = { colour: null, logo: null, text: null }

interface Known {
  /** The last one that was read. */
  readonly last: BrandRow
  readonly brand: Promise<BrandRow>
  readonly askedAtMs: number
}

/** The look of pages, from the cache. While the ledger is away they look as before: no page waits for a colour. */
export function createBrandReads({ ledger, pulse, metrics, now }: Base): BrandReads {
  const known = new RecentMap<string, Known>(BRANDS_MAX)
  measureBuffers(metrics, { known_brands: () => known.size })
  const remember = (roomId: string, brand: BrandRow): void => {
    known.set(roomId, { last: brand, brand: Promise.resolve(brand), askedAtMs: now() })
  }
  async function read(roomId: string, last: BrandRow): Promise<BrandRow> {
    try {
      const brand = (await pulse.ask(() => readBrand(ledger.replica, roomId))) ?? PLAIN
      remember(roomId, brand)
      return brand
    } catch {
      return last
    }
  }
  return {
    of(roomId) {
      const entry = known.get(roomId)
      if (entry !== undefined && now() - entry.askedAtMs < BRAND_AGE_MS_MAX) return entry.brand
      const last = entry?.last ?? PLAIN
      const brand = read(roomId, last)
      known.set(roomId, { last, brand, askedAtMs: now() })
      return brand
    },
    remember,
  }
}
