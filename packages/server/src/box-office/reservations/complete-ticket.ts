import type { Room } from '../../rooms/index.ts'

/** Frees the slot of a buyer who has paid, on any device or account. It may be free already. */
export async function completeTicket(room: Room, number: number): Promise<void> {
  await room.end({ number, identity: '', generation: 0, as: 'paid', operation: `paid-${number}` })
}
