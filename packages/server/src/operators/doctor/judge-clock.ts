import { bad, type Finding, good, weak } from './finding.ts'

/** Countdowns are off by this much; tokens are judged by this server's clock. */
const OFFSET_WEAK_MS = 500
const OFFSET_BAD_MS = 5_000

/** Compares a store's clock with this machine's, allowing for the time of the round trip. */
export async function judgeClock(store: string, readMs: () => Promise<number>, now: () => number): Promise<Finding> {
  const what = `${store} clock`
  const askedAtMs = now()
  const storeMs = await readMs()
  const answeredAtMs = now()
  const offsetMs = storeMs < askedAtMs ? askedAtMs - storeMs : Math.max(0, storeMs - answeredAtMs)
  const facts = { offset: String(Math.round(offsetMs)) }
  const isBehind = storeMs < askedAtMs
  if (offsetMs < OFFSET_WEAK_MS) return good(what, `agrees with this machine's within ${OFFSET_WEAK_MS} ms`)
  if (offsetMs < OFFSET_BAD_MS) return weak(what, isBehind ? 'clockBehind' : 'clockAhead', facts)
  return bad(what, isBehind ? 'clockFarBehind' : 'clockFarAhead', facts)
}
