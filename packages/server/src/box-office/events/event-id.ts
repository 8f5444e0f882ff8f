import { SeatwiseError } from '@seatwise/domain'
import { isUuid } from '../../kit/index.ts'

/** The id in canonical form. Text that cannot be an id is not found, without asking the ledger. */
export function readEventId(text: string): string {
  if (!isUuid(text)) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return text.toLowerCase()
}
