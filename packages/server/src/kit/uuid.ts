import { SeatwiseError } from '@seatwise/domain'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/** The id as we write it. What cannot be one is not found, and nobody is asked. */
export function readEventId(text: string): string {
  if (!isUuid(text)) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return text.toLowerCase()
}
