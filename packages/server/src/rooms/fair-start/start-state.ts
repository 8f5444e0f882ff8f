import type { DrawMode } from '@seatwise/domain'
import { draws, type Ledger, type RoomRow } from '@seatwise/ledger'
import type { DrawNote, DrawState, StartState } from '@seatwise/line'
import { roundAfter } from '../../config/index.ts'
import type { DrawKit } from './draw-kit.ts'

/** How long visitors whose tickets were lost have to come back before the line is sealed again. Rule J10. */
const COME_BACK_MS = 60_000

export interface StartParts {
  readonly ledger: Ledger
  readonly drawKit: DrawKit
}

/** How visitors come into a room before its sale opens, as its line is loaded; whether it has started is known elsewhere. */
export async function startStateOf(parts: StartParts, row: RoomRow): Promise<Omit<StartState, 'hasStarted'>> {
  const { preQueueAt, draw } = row.settings
  const joinsFrom = preQueueAt === null ? null : Date.parse(preQueueAt)
  return { joinsFrom, draw: draw === 'none' ? null : await drawStateOf(parts, row, draw) }
}

async function drawStateOf(parts: StartParts, row: RoomRow, mode: Exclude<DrawMode, 'none'>): Promise<DrawState> {
  const found = await draws.readDraw(parts.ledger.db, row.id)
  // In one process the ledger commits before the line acknowledges, so no ticket and no seal can be lost.
  const sealAfterMs = row.epoch === 0 || parts.ledger.kind === 'pglite' ? 0 : COME_BACK_MS
  if (found === null || found.note.mode !== mode) {
    const note = await noteFor(parts, row.id, { mode, opensAt: row.opensAt })
    return { note, isNew: true, progress: 'announced', sealAfterMs, drawnBelow: 0 }
  }
  const { note, sealed, revealed } = found
  const progress = revealed !== null ? 'revealed' : sealed !== null ? 'sealed' : 'announced'
  return { note, isNew: false, progress, sealAfterMs, drawnBelow: sealed?.nextNumber ?? 0 }
}

/** A draw to announce: its secret is stored before its commitment is told. Rule J4. */
export async function noteFor(
  { drawKit }: Pick<StartParts, 'drawKit'>,
  roomId: string,
  { mode, opensAt }: { mode: Exclude<DrawMode, 'none'>; opensAt: Date | null },
): Promise<DrawNote> {
  const commitment = await drawKit.makeOnce(roomId)
  if (mode === 'commit') return { mode, commitment }
  const { chain } = drawKit.beacon
  return { mode, commitment, chain: chain.hash, round: roundAfter(chain, opensAt?.getTime() ?? 0) }
}
