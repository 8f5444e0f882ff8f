import { randomUUID } from 'node:crypto'
import { type Connector, readConnector, readRooms, readTicket } from '@seatwise/ledger'
import type { RoomServices } from '../room-services.ts'
import { goalOf } from '../routes/return-to-site.ts'
import { readQueueId } from '../tokens/known-user-token.ts'
import type { ConnectorSecrets } from './connector-secrets.ts'

/** The maximum number of rooms in one call; connectors name those of one page. */
const VISITS_MAX = 10

export interface Cancellation {
  readonly customerId: string
  readonly query: URLSearchParams
  /** False for a request that only looks, such as a prefetch: it ends nothing. */
  readonly mayEnd: boolean
}

/**
 * A connector gives slots back by redirecting the browser here with `wrl=event~queueId_event~queueId`, and wants it
 * back at `r`. The ids prove that it may. Returns where to redirect: `r`, if that is on the site of one of the rooms.
 */
export async function cancelVisits(
  services: Pick<RoomServices, 'ledger' | 'rooms'>,
  secrets: ConnectorSecrets,
  { customerId, query, mayEnd }: Cancellation,
): Promise<string> {
  const { ledger } = services
  let goal: string | null = null
  for (const visit of (query.get('wrl') ?? '').split('_').slice(0, VISITS_MAX)) {
    const [eventId = '', queueId = ''] = visit.split('~', 2)
    const connector = await readConnector(ledger.db, { customerId, eventId })
    if (connector === null) continue
    if (mayEnd) await complete(services, secrets, connector, queueId)
    const [facts] = await readRooms(ledger.db, [connector.roomId])
    goal ??= facts === undefined ? null : (goalOf(facts, query.get('r'))?.href ?? null)
  }
  return goal ?? '/'
}

async function complete(
  { ledger, rooms }: Pick<RoomServices, 'ledger' | 'rooms'>,
  secrets: ConnectorSecrets,
  connector: Connector,
  queueId: string,
): Promise<void> {
  const number = readQueueId(await secrets.open(connector), connector.roomId, queueId)
  const ticket = number === null ? null : await readTicket(ledger.db, connector.roomId, number)
  if (number === null || ticket === null) return
  const room = await rooms.byId(connector.roomId)
  const { identity, generation } = ticket
  await room.end({ number, identity, generation, as: 'completed', operation: randomUUID() })
}
