import { type Drift, reconcileEvent, withRoomLock } from '@seatwise/seats'
import { Counter } from 'prom-client'
import type { App } from '../http-server.ts'
import { Rounds } from '../reservations/rounds.ts'
import type { Services } from '../services.ts'

const COMPARE_MS = 60_000
/** Not the id of a room, so that it is in nobody's way. */
const LOCK = 'reconciliation'

/** While the server listens, the books of the events it serves are compared, by one server at a time. */
export function watchDrift(app: App, services: Services): void {
  const found = new Counter({
    name: 'seatwise_drift_total',
    help: 'Places where the books did not agree, by kind, and whether that was repaired',
    labelNames: ['kind', 'outcome'],
    registers: [services.metrics],
  })
  const work = () => reconcileServed(services, found)
  const rounds = new Rounds(services.log, [{ name: 'reconciling', everyMs: COMPARE_MS, work }])
  app.addHook('onListen', async () => rounds.start())
  app.addHook('onClose', () => rounds.close())
}

type FoundDrift = Pick<Counter<'kind' | 'outcome'>, 'inc'>

/** Compares and repairs the events whose rooms stand on this server, unless another one is at it. */
async function reconcileServed(
  { ledger, rooms, log }: Pick<Services, 'ledger' | 'rooms' | 'log'>,
  found: FoundDrift,
): Promise<void> {
  const events = [...rooms.standing()].flatMap(({ row }) => row.eventId ?? [])
  const note = (eventId: string, drift: Drift, outcome: 'repaired' | 'left'): void => {
    found.inc({ kind: drift.kind, outcome })
    log.error({ event: eventId, ...drift, outcome }, 'the books do not agree')
  }
  await withRoomLock(ledger, LOCK, async () => {
    for (const eventId of events) {
      const { repaired, left } = await reconcileEvent(ledger.db, { eventId, dryRun: false })
      for (const drift of repaired) note(eventId, drift, 'repaired')
      for (const drift of left) note(eventId, drift, 'left')
    }
  })
}
