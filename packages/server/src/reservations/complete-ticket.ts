import type { Room } from '../room/room.ts'
import type { RoomTokens } from '../room/tokens/room-tokens.ts'

/** Not below any generation: it is the system that acts for the visitor, on whatever device they are. */
const ANY_GENERATION = 1_000_000_000

/** Frees the slot of somebody who has paid. It may be free already. */
export async function completeTicket(
  { roomTokens }: { roomTokens: RoomTokens },
  room: Room,
  { number, buyerId }: { number: number; buyerId: string },
): Promise<void> {
  const identity = roomTokens.identities.of(buyerId)
  await room.end({ number, identity, generation: ANY_GENERATION, as: 'completed', operation: `paid-${number}` })
}
