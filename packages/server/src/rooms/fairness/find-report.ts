import { SeatwiseError } from '@seatwise/domain'
import { type RoomRow, readRoom } from '@seatwise/ledger'
import { type Actor, mayDo } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'
import type { SaleReport, SaleReports } from './sale-reports.ts'

/** A report with its sale; null while the caller may not read it yet. */
export interface FoundReport {
  readonly row: RoomRow
  readonly report: SaleReport | null
}

/** The report of an event's sale, or of a room's. Members of the organization read it at any time, all others once the sale is over. */
export async function findReport(
  { ledger }: Pick<RoomServices, 'ledger'>,
  reports: SaleReports,
  by: { readonly eventId: string } | { readonly roomId: string },
  actor: Actor | null,
): Promise<FoundReport> {
  const id = 'eventId' in by ? by.eventId : by.roomId
  const row = isUuid(id) ? await readRoom(ledger.db, by) : null
  const isMember = row !== null && mayDo(actor, 'statistics', row.organizationId)
  if (row === null || (row.state === 'draft' && !isMember)) throw new SeatwiseError('NOT_FOUND')
  return { row, report: isMember ? await reports.read(row) : await reports.readPublic(row) }
}
