import type { RoomSettings, TicketClass } from '@seatwise/domain'
import type { DrawProgress } from './room-state.ts'

export interface RoomNow {
  epoch: number
  seq: number
  now: number
  waiting: number
  away: number
  floor: number
  admitted: number
  active: number
  nextNumber: number
  paused: boolean
  held: string | null
  soldOut: boolean
  message: string | null
  opensAt: number
  closesAt: number
  joinsFrom: number | null
  /** How far the draw is; null without one. */
  draw: DrawProgress | null
  /** Tickets below this number were in the pre-queue of a draw: the place in their tokens is not theirs. 0 before the seal. */
  drawnBelow: number
  /** Available seats by the ledger's last word; null when stock does not matter. */
  stock: number | null
  heldSeats: number
  stockVersion: number
  /** Seats that takes may still cost, and seats promised to tickets on the floor without one. */
  taken: number
  promised: number
  settings: RoomSettings
  /** How full the log is, 0 to 1. */
  logFill: number
  /** Places at chosen ranks, first and last included; see `rankMapSamples` in the domain. */
  samples: { place: number; rank: number }[]
}

export interface RangeItem {
  number: number
  place: number
  rank: number
  class: TicketClass
  shown: { name: string; avatar: string | null } | null
}

export interface PresentPage {
  /**
   * `generations[i]` is the generation of ticket `first + i` if it waits and is present. Otherwise it is 0, and also when
   * the generation is above 127, or the class above 0: a code may have changed the place in the ticket's token. Tickets in no run do not wait. `places[i]` is its place, in a room whose draw is revealed.
   */
  runs: { first: number; generations: Uint8Array; places: readonly number[] | null }[]
  /** The number with which the next page begins; null after the last. */
  next: number | null
  seq: number
}

export interface FloorItem {
  number: number
  state: 'admitted' | 'active'
  deadline: number
  fence: number
  reservedSeats: number
}
