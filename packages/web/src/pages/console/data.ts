import type { Language } from '../../language.ts'
import type { Words } from '../../words/words.ts'

/** What every page of the console carries for its script. */
export interface ConsoleData {
  readonly language: Language
  readonly words: Words['console']
  /** Staff look and check in; organisers and admins change things. */
  readonly mayChange: boolean
  /** Of the venue; null where the page is about none, or about several. */
  readonly timeZone: string | null
}

/** One sale, live: the room of an event, or a room for another site. */
export interface SaleData extends ConsoleData {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly name: string
  readonly opensAt: string | null
}

export interface CheckInData extends ConsoleData {
  readonly entrance: Words['entrance']
  readonly eventId: string
}

/** Null for an event that is to be made. */
export interface EditData extends ConsoleData {
  readonly eventId: string | null
  readonly event: unknown
}

/** Who sells, with what receipts say about it. */
export interface OrganizationsData extends ConsoleData {
  readonly organizations: readonly {
    readonly id: string
    readonly name: string
    readonly address: string
    readonly taxNumber: string
  }[]
}
