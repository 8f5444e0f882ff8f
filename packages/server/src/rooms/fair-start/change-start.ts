import { readStart, type SaleStart, SeatwiseError } from '@seatwise/domain'
import { draws, type RoomRow } from '@seatwise/ledger'
import type { ChangeReply, RoomChange } from '@seatwise/line'
import { roundAfter } from '../../config/index.ts'
import { noteFor, type StartParts } from './start-state.ts'

type Change = Omit<RoomChange, 'operation'>

/** When the room's line opens, as an organiser sets it. */
function saleStartOf({ opensAt, presaleUntil }: RoomRow): SaleStart {
  return { salesStartAt: presaleUntil ?? opensAt, presaleStartAt: presaleUntil === null ? null : opensAt }
}

/**
 * A change of settings with what it means for the line. A change of pre-queue or draw holds only while no ticket was drawn, so
 * the line decides it before the ledger stores it. Rule J2.
 */
export async function withStart(parts: StartParts, row: RoomRow, change: Change): Promise<Change> {
  if (change.settings === undefined) return change
  const settings = readStart(change.settings, saleStartOf(row))
  const { preQueueAt, draw } = settings
  const isOtherQueue = preQueueAt !== undefined && preQueueAt !== row.settings.preQueueAt
  const isOtherDraw = draw !== undefined && draw !== row.settings.draw
  if (!isOtherQueue && !isOtherDraw) return { ...change, settings }
  return {
    ...change,
    ...{ settings, onlyWhile: 'unstarted' },
    ...(isOtherQueue && { joinsFrom: preQueueAt === null ? null : Date.parse(preQueueAt) }),
    ...(isOtherDraw && {
      draw: draw === 'none' ? null : await noteFor(parts, row.id, { mode: draw, opensAt: row.opensAt }),
    }),
  }
}

/** The part of a change that the line may refuse. */
export function fixedPart({ by, onlyWhile, joinsFrom, draw }: Change): Change {
  return {
    by,
    ...(onlyWhile !== undefined && { onlyWhile }),
    ...(joinsFrom !== undefined && { joinsFrom }),
    ...(draw !== undefined && { draw }),
  }
}

/** The change that moves the start of a sale with a pre-queue or a draw; null where nothing has to be asked. Rule J2. */
export async function movedStart(
  { ledger, drawKit }: StartParts,
  row: RoomRow,
  salesStartAt: Date,
  by: string,
): Promise<Change | null> {
  const { preQueueAt, draw } = row.settings
  const isSame = row.opensAt?.getTime() === salesStartAt.getTime()
  if (isSame || (preQueueAt === null && draw === 'none')) return null
  readStart({ preQueueAt }, { salesStartAt, presaleStartAt: null })
  const opensAt = salesStartAt.getTime()
  const change = { by, opensAt, onlyWhile: 'unsealed' } as const
  if (draw !== 'drand') return change
  const announced = await draws.readDraw(ledger.db, row.id)
  if (announced === null) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
  return { ...change, draw: { ...announced.note, round: roundAfter(drawKit.beacon.chain, opensAt) } }
}

export function requireChanged({ isRefused }: ChangeReply): void {
  if (isRefused) throw new SeatwiseError('LINE_STARTED')
}
