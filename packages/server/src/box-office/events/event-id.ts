import { SeatwiseError } from '@seatwise/domain'
import { isUuid } from '../../kit/index.ts'

/** The id as we write it. What cannot be one is not found, and the ledger is not asked. */
export function readEventId(text: string): string {
  if (!isUuid(text)) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return text.toLowerCase()
}
