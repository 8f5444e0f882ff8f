import { withDeadline } from '../kit/index.ts'
import type { Services } from './services.ts'

/** A part that answers later than this counts as missing. */
const CHECK_MS_MAX = 2_000
/** Any client may ask whether the server is ready; the stores are made to write no more often than this. */
const PROOF_MS = 3_000

interface Part {
  readonly name: string
  ping(): Promise<void>
  proveWritable(): Promise<void>
}

export interface Readiness {
  /** The names of the missing parts: those that do not answer, and those that accept no writes. */
  findMissing(): Promise<string[]>
}

/** Whether the server can do its work. A store that only answers reads is of no use to a sale. */
export function createReadiness({
  ledger,
  redis,
  log,
  now,
}: Pick<Services, 'ledger' | 'redis' | 'log' | 'now'>): Readiness {
  const parts: Part[] = [{ name: 'ledger', ping: () => ledger.ping(), proveWritable: () => ledger.proveWritable() }]
  if (redis !== null) {
    parts.push({ name: 'redis', ping: () => redis.ping(), proveWritable: () => redis.proveWritable() })
  }
  const checked = parts.map((part) => ({
    ...part,
    proveWritable: atMostEvery(PROOF_MS, now, () => part.proveWritable()),
  }))
  return {
    async findMissing() {
      const missing = await Promise.all(
        checked.map(async ({ name, ping, proveWritable }) => {
          try {
            await withDeadline(Promise.all([ping(), proveWritable()]), CHECK_MS_MAX, name)
            return null
          } catch (err) {
            log.warn({ err, part: name }, 'a part does not answer, or accepts no writes')
            return name
          }
        }),
      )
      return missing.filter((name) => name !== null)
    },
  }
}

/** Callers within the interval share one result, success or failure. */
function atMostEvery(intervalMs: number, now: () => number, work: () => Promise<void>): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | null = null
  return () => {
    if (last === null || now() - last.at >= intervalMs) {
      last = { at: now(), outcome: work() }
      // Every caller gets the error; without a caller there is none to report it to.
      last.outcome.catch(() => undefined)
    }
    return last.outcome
  }
}
