import type { Condition, SystemPart } from '../site/index.ts'
import type { Readiness } from './readiness.ts'

/** However many visitors ask, the stores are asked no more often than this. */
const LOOK_EVERY_MS = 2_000
/** How long a visitor waits for a new look before the last one is told. */
const PATIENCE_MS = 500

/** The store that each part stands on; in embedded mode rooms are in the process, which answers. */
const NEEDS: readonly (readonly [SystemPart, string])[] = [
  ['rooms', 'redis'],
  ['sales', 'ledger'],
]

/** What a public page tells of the stores: the last look at them, and since when each part is as it is. */
export function watchCondition(readiness: Readiness, now: () => number): () => Promise<Condition> {
  const begun = new Date(now())
  let known: Condition = { at: begun, parts: NEEDS.map(([part]) => ({ part, works: true, since: begun })) }
  let looking: Promise<void> | null = null
  let lookedAtMs = Number.NEGATIVE_INFINITY
  const look = async (): Promise<void> => {
    const missing = await readiness.findMissing()
    const at = new Date(now())
    const parts = NEEDS.map(([part, store], index) => {
      const works = !missing.includes(store)
      const before = known.parts[index]
      return { part, works, since: before?.works === works ? before.since : at }
    })
    known = { at, parts }
    lookedAtMs = now()
    looking = null
  }
  return async () => {
    if (now() - lookedAtMs < LOOK_EVERY_MS) return known
    // findMissing never rejects, and ends by its own deadline.
    looking ??= look()
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, PATIENCE_MS)
    await Promise.race([looking, patience.promise])
    clearTimeout(timer)
    return known
  }
}
