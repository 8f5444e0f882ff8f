import { badField, SeatwiseError } from '@seatwise/domain'
import { type Connector, saveConnector } from '@seatwise/ledger'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import type { ConnectorSecrets } from './connector-secrets.ts'

export interface ConnectorWish {
  readonly kind: 'known-user-v3'
  readonly customerId: string
  readonly eventId: string
  /** Made up where it is left out. */
  readonly secretKey?: string | undefined
}

/** Lets a room issue tokens that a vendor's connector accepts. */
export async function giveConnector(
  { ledger }: Pick<RoomServices, 'ledger'>,
  keys: ConnectorSecrets,
  room: Room,
  { secretKey = keys.make(), ...names }: ConnectorWish,
): Promise<{ readonly connector: Connector; readonly secretKey: string }> {
  if (room.row.eventId !== null) throw badField('kind', 'is for rooms with a target; this one has an event')
  const connector = { ...names, roomId: room.id, ...keys.seal(room.id, secretKey) }
  if (!(await saveConnector(ledger.db, connector))) throw new SeatwiseError('CONNECTOR_TAKEN')
  return { connector, secretKey }
}
