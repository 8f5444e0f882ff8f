import { setTimeout as delay } from 'node:timers/promises'
import { DRIFT_KINDS, type Drift, type Reconciled, reconcileEvent, withRoomLock } from '@seatwise/ledger'
import { Counter, type Registry } from 'prom-client'
import { type BoxOfficeServices, concludeFromProvider, type Payments } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { eachAlone, Rounds } from '../../kit/index.ts'
import { compareGate } from './compare-gate.ts'
import { ASKED_MAX, compareProvider } from './compare-provider.ts'

const COMPARE_MS = 60_000
/**
 * After comparing an event, rest for this many times as long: visitors must not wait while all books are compared at
 * once.
 */
const REST = 49
const REST_MS_MAX = 10_000
/** Not the id of a room, so that it blocks no room's lock. */
const LOCK = 'reconciliation'

const OUTCOMES = ['repaired', 'left'] as const

/** Counts differences from zero on: a series that begins with 1 has not grown, and would raise no alert. */
export function countDrift(registry: Registry): Counter<'kind' | 'outcome'> {
  const found = new Counter({
    name: 'seatwise_drift_total',
    help: 'Differences between the books, by kind, and whether they were repaired',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  for (const kind of DRIFT_KINDS) for (const outcome of OUTCOMES) found.inc({ kind, outcome }, 0)
  return found
}

/** While the server listens, it compares the books of the events it serves, one server at a time. */
export function watchDrift(app: App, services: BoxOfficeServices, payments: Payments): void {
  const found = countDrift(services.metrics)
  const closing = new AbortController()
  const rest = (ms: number) => delay(ms, undefined, { signal: closing.signal, ref: false })
  const work = () => reconcileServed(services, payments, found, rest)
  const rounds = new Rounds(services.log, [{ name: 'reconciling', everyMs: COMPARE_MS, work }])
  app.addHook('onListen', async () => rounds.start())
  app.addHook('onClose', () => {
    closing.abort()
    return rounds.close()
  })
}

type FoundDrift = Pick<Counter<'kind' | 'outcome'>, 'inc'>
type ServedParts = Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'log'>

/** Compares and repairs the events of rooms open on this server, one after the other, unless another server does so. */
export async function reconcileServed(
  services: ServedParts,
  payments: Payments,
  found: FoundDrift,
  rest: (ms: number) => Promise<void>,
): Promise<void> {
  const { ledger, rooms, log } = services
  const events = [...rooms.openRooms()].flatMap(({ row }) => row.eventId ?? [])
  const note = (eventId: string, drift: Drift, outcome: (typeof OUTCOMES)[number]): void => {
    found.inc({ kind: drift.kind, outcome })
    log.error({ event: eventId, ...drift, outcome }, 'the books do not agree')
  }
  await withRoomLock(ledger, LOCK, async () => {
    await eachAlone(
      events.entries(),
      async ([index, eventId]) => {
        const startMs = performance.now()
        await compareBooks(comparisonsOf(services, payments, eventId), (drift, outcome) =>
          note(eventId, drift, outcome),
        )
        const isLast = index === events.length - 1
        if (!isLast) await rest(Math.min(REST_MS_MAX, REST * (performance.now() - startMs)))
      },
      ([, event], err) => {
        // The server is stopping.
        if (err instanceof Error && err.name === 'AbortError') throw err
        log.warn({ err, event }, 'the books of an event were not compared, retrying')
      },
    )
  })
}

async function compareBooks(
  comparisons: readonly (() => Promise<Reconciled>)[],
  note: (drift: Drift, outcome: (typeof OUTCOMES)[number]) => void,
): Promise<void> {
  const seen = new Set<string>()
  for (const compare of comparisons) {
    const { repaired, left } = await compare()
    for (const drift of repaired) note(drift, 'repaired')
    // The books of the sandbox are in the ledger, too: each difference is reported once.
    for (const drift of left) if (!seen.has(nameOf(drift))) note(drift, 'left')
    for (const drift of left) seen.add(nameOf(drift))
  }
}

/** The provider first: what it repairs is not reported as a difference of the ledger. */
function comparisonsOf(
  { ledger, rooms }: ServedParts,
  payments: Payments,
  eventId: string,
): (() => Promise<Reconciled>)[] {
  const { db } = ledger
  const conclude = (purchaseId: string) => concludeFromProvider(payments, purchaseId)
  return [
    () => compareProvider(payments.provider, db, { eventId, max: ASKED_MAX, conclude }),
    () => reconcileEvent(ledger, { eventId, dryRun: false }),
    async () => await compareGate(await rooms.ofEvent(eventId), db, { eventId, dryRun: false }),
  ]
}

const nameOf = ({ kind, subject }: Drift): string => `${kind} ${subject}`
