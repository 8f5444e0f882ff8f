import type { RiseReason, RoomNow } from '../types.ts'

/** The rank as this device shows it, and the entry of the room's log as of which it is true. */
export interface ShownRank {
  readonly rank: number
  readonly exact: boolean
  readonly epoch: number
  readonly seq: number
  /** Why it is higher than the one before. */
  readonly reason: RiseReason | null
}

export type ToldRank = Omit<ShownRank, 'reason'>

/** So many tickets left from this rank on (negative), or came in there (positive). */
type Move = readonly [rank: number, by: number]

export interface QueueMove {
  readonly epoch: number
  readonly seq: number
  readonly from: number
  readonly moves: readonly Move[] | null
}

/**
 * A rank that the server told. A lower one is always accepted. A higher one is accepted if the difference exceeds rounding:
 * a position that was read from the rank map may be off by 2 %, and that alone is no reason to raise the position.
 */
export function tellRank(shown: ShownRank | null, told: ToldRank, cause: RiseReason | null = null): ShownRank {
  if (shown === null) return { ...told, reason: null }
  if (!isNewer(told, shown)) return shown
  if (told.rank <= shown.rank) return { ...told, reason: null }
  const doubt = shown.exact && told.exact ? 0 : rankMapError(told.rank)
  if (told.rank - shown.rank <= doubt) return { ...told, rank: shown.rank, exact: false, reason: shown.reason }
  return { ...told, reason: cause ?? (told.epoch === shown.epoch ? 'corrected' : 'restored') }
}

/** How the line moved, applied to the rank. What is counted already is not counted twice. */
export function moveRank(shown: ShownRank, { epoch, seq, from, moves }: QueueMove): ShownRank {
  if (moves === null || epoch !== shown.epoch || shown.seq > from) return shown
  const rank = applyMoves(shown.rank, moves)
  const reason = rank > shown.rank ? 'came_ahead' : rank < shown.rank ? null : shown.reason
  // Older than `from`: something was missed, and only a poll knows what.
  return { rank, exact: shown.exact && shown.seq === from, epoch, seq, reason }
}

/** The rank that the public document gives for a place. It never raises the position: only polls may. */
export function mapRank(shown: ShownRank, { epoch, seq, rankMap }: RoomNow, place: number): ShownRank {
  if (epoch !== shown.epoch || seq <= shown.seq || rankMap.length === 0) return shown
  const rank = rankAt(rankMap, place)
  // What was exact is given up only for something that is better by more than the map's own error.
  const doubt = shown.exact ? rankMapError(rank) : 0
  return rank < shown.rank - doubt ? { rank, exact: false, epoch, seq, reason: null } : shown
}

export function isNewer(told: { epoch: number; seq: number }, known: { epoch: number; seq: number }): boolean {
  return told.epoch === known.epoch ? told.seq >= known.seq : told.epoch > known.epoch
}

/** The rank that belongs to a place: between two points of the map on the straight line between them. */
export function rankAt(map: RoomNow['rankMap'], place: number): number {
  let [lowPlace, lowRank] = map[0] ?? [place, 0]
  if (place <= lowPlace) return 0
  for (const [highPlace, highRank] of map) {
    if (highPlace >= place) {
      const share = highPlace === lowPlace ? 0 : (place - lowPlace) / (highPlace - lowPlace)
      return Math.round(lowRank + share * (highRank - lowRank))
    }
    lowPlace = highPlace
    lowRank = highRank
  }
  return lowRank + 1
}

function applyMoves(rank: number, moves: readonly Move[]): number {
  let moved = rank
  for (const [at, by] of moves) {
    if (by > 0) {
      if (at <= moved) moved += by
    } else if (at < moved) moved -= Math.min(-by, moved - at)
  }
  return moved
}

const rankMapError = (rank: number) => Math.max(1, rank * 0.02)
