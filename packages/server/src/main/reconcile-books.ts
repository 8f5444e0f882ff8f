import {
  type Ledger,
  type Primary,
  type Reconciled,
  type ReconciledEvents,
  type ReconcileOptions,
  readRoom,
  reconcileEvents,
} from '@seatwise/ledger'
import { LineLost } from '@seatwise/line'
import { openProvider } from '../box-office/index.ts'
import { type Config, createLog } from '../config/index.ts'
import { ASKED_BY_COMMAND_MAX, compareGate, compareProvider, type Gate } from '../operators/index.ts'
import { openSharedLine } from '../rooms/index.ts'
import { openConfiguredRedis } from './open-services.ts'

/**
 * Reconciles without a server: the ledger itself, the line on Redis if there is one, and the payment provider. Only an
 * embedded server can compare what it has in memory.
 */
export async function reconcileBooks(
  config: Config,
  primary: Primary,
  options: ReconcileOptions,
): Promise<ReconciledEvents> {
  const { db } = primary
  const redis = await openConfiguredRedis(config, createLog(config))
  const line = redis === null ? null : openSharedLine(redis, createLog(config))
  const provider = await openProvider(config)
  try {
    return await reconcileEvents(primary, options, async (eventId) => {
      const compared: Reconciled[] = []
      const gate = line === null ? null : await gateOf(line, db, eventId)
      if (gate !== null) compared.push(await ifThere(compareGate(gate, db, { eventId, dryRun: options.dryRun })))
      // The sandbox's books are in the ledger and were compared there.
      const asking = { eventId, max: ASKED_BY_COMMAND_MAX, conclude: null }
      if (provider !== null) compared.push(await compareProvider(provider, db, asking))
      return compared
    })
  } finally {
    await line?.close()
  }
}

async function gateOf(
  line: ReturnType<typeof openSharedLine>,
  db: Ledger['db'],
  eventId: string,
): Promise<Gate | null> {
  const row = await readRoom(db, { eventId })
  if (row === null) return null
  const at = { room: row.id, epoch: row.epoch, seenSeq: 0 }
  return { floor: (limit) => line.floor(at, limit), settle: (settlement) => line.settle(at, settlement) }
}

/** A line that is lost, or that no server has opened yet, has nothing to compare: it is loaded from the ledger. */
async function ifThere(comparison: Promise<Reconciled>): Promise<Reconciled> {
  try {
    return await comparison
  } catch (error) {
    if (error instanceof LineLost) return { repaired: [], left: [] }
    throw error
  }
}
