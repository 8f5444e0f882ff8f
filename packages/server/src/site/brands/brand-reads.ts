import { type BrandRow, type Ledger, readBrand } from '@seatwise/ledger'
import type { Registry } from 'prom-client'
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

/** The look of pages, from the cache. When the ledger is down they look plain: no page waits for a colour. */
export function createBrandReads(ledger: Ledger, metrics: Registry, now: () => number): BrandReads {
  const known = new RecentMap<string, { readonly brand: Promise<BrandRow>; readonly askedAtMs: number }>(BRANDS_MAX)
  measureBuffers(metrics, { known_brands: () => known.size })
  return {
    of(roomId) {
      const entry = known.get(roomId)
      if (entry !== undefined && now() - entry.askedAtMs < BRAND_AGE_MS_MAX) return entry.brand
      const brand = readBrand(ledger.replica, roomId).then(
        (row) => row ?? PLAIN,
        () => PLAIN,
      )
      known.set(roomId, { brand, askedAtMs: now() })
      return brand
    },
    remember: (roomId, brand) => known.set(roomId, { brand: Promise.resolve(brand), askedAtMs: now() }),
  }
}
