import { badField } from '@seatwise/domain'
import { fairness, type Ledger } from '@seatwise/ledger'
import { isUuid } from '../../kit/index.ts'
import type { SaleFigures } from './sale-study.ts'

/** One sale in the list of an organization's past ones. */
export interface PastReport
  extends Pick<
    SaleFigures,
    | 'joined'
    | 'admitted'
    | 'inversions'
    | 'inversionsOfPresent'
    | 'kendallTau'
    | 'capacityOvershoot'
    | 'rateOvershoot'
    | 'noShows'
  > {
  readonly eventId: string
  readonly name: string
  readonly closedAt: Date
  readonly at: Date
}

export interface PastReportsPage {
  readonly items: readonly PastReport[]
  readonly nextCursor: string | null
}

/** The final reports of an organization's sales, the newest first. */
export async function listPastReports(
  { db }: Pick<Ledger, 'db'>,
  organizationId: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<PastReportsPage> {
  const after = cursor === undefined ? null : readCursor(cursor)
  const rows = await fairness.listReports(db, organizationId, { after, max: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ eventId, name, closedAt, at, text }) => {
      const { joined, admitted, inversions, inversionsOfPresent, ...figures } = JSON.parse(text) as SaleFigures
      const { kendallTau, capacityOvershoot, rateOvershoot, noShows } = figures
      return {
        ...{ eventId, name, closedAt, at, joined, admitted, inversions, inversionsOfPresent },
        ...{ kendallTau, capacityOvershoot, rateOvershoot, noShows },
      }
    }),
    nextCursor: rows.length > limit && last !== undefined ? `${last.at.toISOString()}_${last.roomId}` : null,
  }
}

function readCursor(text: string): { at: Date; roomId: string } {
  const [moment = '', roomId = ''] = text.split('_', 2)
  const at = new Date(moment)
  if (Number.isNaN(at.getTime()) || !isUuid(roomId)) throw badField('cursor', 'is not one of this list')
  return { at, roomId }
}
