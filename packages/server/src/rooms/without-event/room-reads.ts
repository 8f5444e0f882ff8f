import { type RoomFacts, readRooms } from '@seatwise/ledger'
import { measureBuffers, ReadCache } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'

/** The public view of rooms: cached, at most a second old. */
export type RoomReads = ReadCache<RoomFacts>

/** About 10 MB. */
const ROOMS_MAX = 10_000

export function createRoomReads({ ledger, pulse, now, metrics }: RoomServices): RoomReads {
  const reads = new ReadCache<RoomFacts>({
    async load({ keys, isFresh }) {
      const rooms = await pulse.ask(() => readRooms(isFresh ? ledger.db : ledger.replica, keys))
      return new Map(rooms.map((room) => [room.id, room]))
    },
    weigh: () => 1,
    weightMax: ROOMS_MAX,
    batchMax: 50,
    batchesAtOnce: 2,
    waitingMax: 1_000,
    now,
  })
  measureBuffers(metrics, { cached_rooms: () => reads.size })
  return reads
}
