import type { IdentityServices } from '../identity/index.ts'
import type { Rooms } from './room.ts'
import type { RoomTokens } from './tokens/room-tokens.ts'

/** What the routes of rooms and the folders below them are built from. */
export interface RoomServices extends IdentityServices {
  /** What rooms sign, hash and check. */
  readonly roomTokens: RoomTokens
  readonly rooms: Rooms
}
