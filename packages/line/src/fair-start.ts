import type { DrawAnnounced } from './log-entry.ts'

/** A draw as the log announces it. */
export type DrawNote = Omit<DrawAnnounced, 'kind'>

export interface Seal {
  /** `early`: the sale is not open, or the room waits for visitors after a rebuild (J10). `none`: the room has no draw. */
  status: 'sealed' | 'revealed' | 'early' | 'none'
  seq: number
  /** How long until a seal is possible. */
  waitMs: number
}

export interface DrawnPlace {
  number: number
  place: number
}

export interface Revealing {
  secret: string
  signature?: string
  /** The last place of each class among the drawn; NO_PLACE where there is none. */
  lastPlaces: readonly [number, number, number, number]
}
