import { SeatwiseError } from '@seatwise/domain'
import { joining } from '@seatwise/ledger'
import type { FastifyRequest } from 'fastify'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'

/**
 * The visitor asks for another ticket. Only the device that was judged may: a verdict's id alone, which the operator sees too,
 * does nothing. Without an id it is the verdict that is in force. Rule R119.
 */
export async function appealFromDevice(
  { config, ledger, roomTokens }: Pick<RoomServices, 'config' | 'ledger' | 'roomTokens'>,
  request: FastifyRequest,
  room: Room,
  verdictId?: string,
): Promise<void> {
  const cookie = roomTokens.devices.read(config, request)
  const device = cookie === null ? null : roomTokens.identities.ofDevice(cookie.id)
  const isKnown = device !== null && (await joining.appealVerdict(ledger.db, { roomId: room.id, device }, verdictId))
  if (!isKnown) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such verdict about this device' })
}
