/** What the signature of a page of the list covers stands before it, so that nothing else that our keys sign is taken for one. */
export const DOOR_LIST_PREFIX = 'seatwise-door-list\n'
/** E-tickets on one page of the list. */
export const DOOR_PAGE_MAX = 2_000
/** Scans that one call brings. */
export const DOOR_SCANS_MAX = 100
export const DOOR_NAME_MAX = 40

/** An e-ticket as a device at the door keeps it, without the connection that it may lose. */
export interface ListedTicket {
  readonly id: string
  readonly generation: number
  readonly shortCode: string
  readonly isVoid: boolean
  readonly checkedInAt: string | null
  readonly type: string
  readonly row: string | null
  readonly number: number | null
  readonly holder: string | null
}

/** A page of the list of an event's e-tickets. The signature covers exactly the text that this was read from. */
export interface DoorPage {
  readonly eventId: string
  /** When the ledger said this. */
  readonly at: string
  /** The id that the next page begins after; null on the last one. */
  readonly next: string | null
  readonly tickets: readonly ListedTicket[]
}

export interface SignedDoorPage {
  readonly page: string
  readonly kid: string
  /** Ed25519, in base64url. */
  readonly signature: string
}

/** What a scan was found to be by what a device knows. */
export type DoorVerdict =
  | { readonly is: 'in' }
  | { readonly is: 'used'; readonly at: string }
  | { readonly is: 'void' | 'unknown' }

/** Judges a scan as the ledger does, by the list and by what happened since it was made. */
export function judgeAtDoor(
  ticket: ListedTicket | undefined,
  generation: number | null,
  usedAt: string | null,
): DoorVerdict {
  if (ticket === undefined) return { is: 'unknown' }
  if (ticket.isVoid || (generation !== null && generation !== ticket.generation)) return { is: 'void' }
  const at = usedAt ?? ticket.checkedInAt
  return at === null ? { is: 'in' } : { is: 'used', at }
}

/** The e-tickets that a typed part of a name, a row or a seat may mean: every word begins one of theirs. */
export function findListed(tickets: Iterable<ListedTicket>, typed: string, max: number): ListedTicket[] {
  const wanted = wordsOf(typed)
  const found: ListedTicket[] = []
  if (wanted.length === 0) return found
  for (const ticket of tickets) {
    const { holder, row, number } = ticket
    const words = wordsOf(`${holder ?? ''} ${row ?? ''} ${number ?? ''}`)
    if (!wanted.every((want) => words.some((word) => word.startsWith(want)))) continue
    found.push(ticket)
    if (found.length === max) break
  }
  return found
}

/** Without accents and case: staff types what it hears. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('đ', 'd')
  return plain
    .normalize('NFC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
