import { type BrandRow, type Ledger, readBrand } from '@seatwise/ledger'
import type { Registry } from 'prom-client'
import { measureBuffers, RecentMap } from '../../kit/index.ts'

/** Everybody who waits asks for it, and it hardly ever changes. */
const BRAND_AGE_MS_MAX = 5_000
/** As many as rooms that one server works with. */
const BRANDS_MAX = 1_000

export interface BrandReads {
  of(roomId: string): Promise<BrandRow>
  /** Must be called where a brand was written, so that on this server it counts at once; a replica may lag. */
  remember(roomId: string, brand: BrandRow): void
}

const PLAIN: BrandRow = { colour: null, logo: null, text: null }

/** How pages look, from memory. When the ledger is away they look plain: nobody waits for a colour. */
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
