import type { Kysely } from 'kysely'
import type { Primary, Schema } from '../../engine/index.ts'
import { type Reconciled, reconcileEvent } from './reconcile-event.ts'

export interface ReconciledEvent extends Reconciled {
  readonly eventId: string
}

export interface ReconciledEvents {
  readonly compared: number
  readonly events: readonly ReconciledEvent[]
}

export interface ReconcileOptions {
  /** Null for all of them. */
  readonly eventId: string | null
  /** Only finds. */
  readonly dryRun: boolean
}

/**
 * Reconciles one event, or all there are, one after the other. Only those with a difference are in the answer. `beside`
 * compares what is not in the ledger.
 */
export async function reconcileEvents(
  ledger: Primary,
  options: ReconcileOptions,
  beside: (eventId: string) => Promise<readonly Reconciled[]> = async () => [],
): Promise<ReconciledEvents> {
  const events: ReconciledEvent[] = []
  let compared = 0
  for await (const eventId of eventIds(ledger.db, options.eventId)) {
    const all = [await reconcileEvent(ledger, { eventId, dryRun: options.dryRun }), ...(await beside(eventId))]
    const repaired = all.flatMap((one) => one.repaired)
    const left = all.flatMap((one) => one.left)
    compared += 1
    if (repaired.length + left.length > 0) events.push({ eventId, repaired, left })
  }
  return { compared, events }
}

const PAGE = 500

async function* eventIds(db: Kysely<Schema>, only: string | null): AsyncGenerator<string> {
  let query = db.selectFrom('seat_maps').select('event_id').orderBy('event_id').limit(PAGE)
  if (only !== null) query = query.where('event_id', '=', only)
  let page = await query.execute()
  while (page.length > 0) {
    for (const { event_id } of page) yield event_id
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    page = await query.where('event_id', '>', last.event_id).execute()
  }
}
