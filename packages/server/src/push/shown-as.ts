import { type Ledger, readShown } from '@seatwise/ledger'
import type { Room } from '../rooms/index.ts'
import type { ShownAs } from './realtime.ts'

/**
 * As whom other visitors may see one who waits; null for one who did not agree. What was said last counts, and the ledger
 * has it: if it cannot be read, no name is shown.
 */
export async function shownAs(
  ledger: Ledger,
  room: Room,
  { number, rank }: { readonly number: number; readonly rank: number | null },
): Promise<ShownAs | null> {
  if (rank === null) return null
  const chosen = await readShown(ledger.db, room.id, [number]).catch(() => null)
  if (chosen === null) return null
  if (chosen.has(number)) return chosen.get(number) ?? null
  // Joined a moment ago: the ledger does not know the ticket yet.
  const around = await room.range(rank, rank)
  return around.find((item) => item.number === number)?.shown ?? null
}
