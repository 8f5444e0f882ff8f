import type { IdentityServices } from '../identity/index.ts'
import type { DrawKit } from './fair-start/draw-kit.ts'
import type { Rooms } from './room.ts'
import type { RoomTokens } from './tokens/room-tokens.ts'

/** The services that the room routes and the folders below them use. */
export interface RoomServices extends IdentityServices {
  /** What rooms sign, hash and verify. */
  readonly roomTokens: RoomTokens
  readonly rooms: Rooms
  readonly drawKit: DrawKit
}
