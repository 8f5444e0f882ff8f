import { SeatwiseError } from '@seatwise/domain'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { isUsedUp } from './find-event-code.ts'

/** `access`: the code opens hidden seats. */
export interface JoinedWith {
  readonly access: boolean
}

/**
 * Checks the code that a visitor joins with, if any. In a presale only visitors with an access code join; joining is no
 * use of a code. Rules E25 and B119.
 */
export async function requireAccess(
  { config, roomTokens }: Pick<RoomServices, 'config' | 'roomTokens'>,
  room: Room,
  { text, address }: { text: string | undefined; address: string },
): Promise<JoinedWith> {
  const { eventId } = room.row
  if (text === undefined || eventId === null) {
    if (room.isPresale) throw new SeatwiseError('SALES_NOT_STARTED')
    if (text !== undefined) throw new SeatwiseError('CODE_UNKNOWN')
    return { access: false }
  }
  const code = await roomTokens.eventCodes.find({ eventId, text, address: config.rateLimits ? address : null })
  if (code === null) throw new SeatwiseError('CODE_UNKNOWN')
  if (isUsedUp(code)) throw new SeatwiseError('CODE_USED_UP')
  if (room.isPresale && !code.access) throw new SeatwiseError('SALES_NOT_STARTED')
  return { access: code.access }
}
