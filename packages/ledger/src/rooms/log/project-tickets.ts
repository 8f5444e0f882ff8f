import {
  type Classed,
  type Corrected,
  type Grouped,
  isAnnouncement,
  type Joined,
  type LogEntry,
  numbersIn,
  type Restored,
  type TicketChange,
  type TicketProfile,
} from '@seatwise/domain'

/** Columns of `queue_entries`; times in milliseconds. */
export interface TicketPatch {
  number: number
  identity?: string
  class?: number
  place?: number
  /** The latest priority code, and those that the ticket used before it. */
  code?: string | null | undefined
  earlier_codes?: string[]
  user_id?: string | null | undefined
  limit_key?: string | null | undefined
  /** It shares no limit any more. */
  free_of_limit?: boolean
  state?: string
  reason?: string
  away?: boolean
  generation?: number
  fence?: number
  extended?: boolean
  reserved_seats?: number
  admitted_at?: number
  entered_at?: number
  session_end?: number
  deadline?: number
  /** The deadline is the session's end, unless the ticket has a reservation. */
  follow_session?: boolean
  ended_at?: number
  /** The ticket of a group; 0: none any more. */
  stands_with?: number
  /** Of a new row only: the identity of the visitor who has left the group. */
  left_identity?: string
  /** The ticket's own visitor has left the group. */
  is_vacant?: boolean
}

export interface Projection {
  /** Drawn and unchanged since: their rows need only the owner's data, in JSON. */
  readonly waiting: readonly string[]
  /** Restored, or drawn and changed since. */
  readonly drawn: readonly TicketPatch[]
  readonly patches: readonly TicketPatch[]
}

/**
 * Folds a batch of entries into one row for each ticket drawn in it, and one patch for each other ticket it changed.
 * However often a ticket changes in a batch, the ledger writes it once.
 */
export function projectTickets(entries: readonly LogEntry[]): Projection {
  const waiting = new Map<number, Drawn>()
  const drawn = new Map<number, NewTicket>()
  const patches = new Map<number, TicketPatch>()

  /** Changes of a ticket that the ledger already has. */
  function rowOf(number: number, epoch: number): TicketPatch {
    const row = drawn.get(number) ?? changedRow(epoch, waiting.get(number))
    if (row !== undefined) drawn.set(number, row)
    waiting.delete(number)
    const changed = row ?? patches.get(number) ?? { number }
    if (row === undefined) patches.set(number, changed)
    return changed
  }

  for (const entry of entries) {
    const { change } = entry
    if (change.kind === 'opened' || change.kind === 'changed' || change.kind === 'attended') continue
    if (isAnnouncement(change)) continue
    if (change.kind === 'joined') {
      waiting.set(change.number, { at: entry.at, seq: entry.seq, change })
    } else if (change.kind === 'restored') {
      const row = {
        ...newRow(entry.epoch, change),
        generation: change.generation,
        joined_at: change.joinedAt,
        drawn_seq: entry.seq,
      }
      drawn.set(change.number, row)
    } else {
      for (const number of numbersIn(change)) apply(rowOf(number, entry.epoch), entry.at, change, number)
    }
  }
  return {
    waiting: waiting.values().map(waitingRow).toArray(),
    drawn: [...drawn.values()],
    patches: [...patches.values()],
  }
}

function apply(row: TicketPatch, at: number, change: TicketChange, number: number): void {
  switch (change.kind) {
    case 'admitted':
      Object.assign(row, { state: 'admitted', away: false, fence: change.fence, admitted_at: at })
      setDeadline(row, change.deadline)
      if (change.active) Object.assign(row, { state: 'active', entered_at: at, session_end: change.deadline })
      return
    case 'entered':
      Object.assign(row, { state: 'active', entered_at: at, session_end: change.deadline })
      followSession(row)
      return
    case 'completed':
      Object.assign(row, { state: 'completed', ended_at: at })
      return
    case 'expired':
      Object.assign(row, { state: 'expired', away: false, reason: change.reason, ended_at: at })
      return
    case 'away':
      row.away = true
      return
    case 'back':
      row.away = false
      return
    case 'extended':
      row.extended = true
      row.session_end = change.sessionEnd
      setDeadline(row, change.deadline)
      return
    case 'moved':
      row.generation = change.generation
      if (change.fence !== null) row.fence = change.fence
      return
    case 'adopted':
      Object.assign(row, { identity: change.identity, user_id: change.userId, free_of_limit: true, limit_key: null })
      return
    case 'corrected':
      correct(row, at, change)
      return
    case 'reserved':
      row.reserved_seats = change.quantity
      if (change.deadline !== null) setDeadline(row, change.deadline)
      else followSession(row)
      return
    case 'classed':
      raise(row, change)
      return
    case 'grouped':
      group(row, at, change, number)
      return
  }
}

/** Who stands with another ticket waits there: the row has ended, and says where its visitor is. */
function group(row: TicketPatch, at: number, { number: ticket, members, left }: Grouped, number: number): void {
  if (number === ticket) {
    if (left === ticket) leaveVacant(row, ticket)
    return
  }
  if (row.ended_at === undefined || members.includes(number)) row.ended_at = at
  Object.assign(row, { state: 'expired', reason: 'cancelled', away: false })
  row.stands_with = members.includes(number) ? ticket : 0
}

/** Of a row that this batch draws, the identity is known here; otherwise the ledger has it. */
function leaveVacant(row: TicketPatch, ticket: number): void {
  if (!('joined_at' in row)) {
    row.is_vacant = true
    return
  }
  if (row.identity !== undefined) row.left_identity = row.identity
  Object.assign(row, { identity: `!${ticket}`, user_id: undefined, guest_id: undefined })
}

/** Every code that a ticket used stays used. */
function raise(row: TicketPatch, { class: ticketClass, place, code }: Classed): void {
  if (row.code != null) row.earlier_codes = [...(row.earlier_codes ?? []), row.code]
  Object.assign(row, { class: ticketClass, place, code })
}

/** The true times of admission and entry are lost with the end of the log. */
function correct(
  row: TicketPatch,
  at: number,
  { from, state, fence, deadline, sessionEnd, quantity }: Corrected,
): void {
  Object.assign(row, { state, away: false, reserved_seats: quantity })
  if (from === 'waiting') row.admitted_at = at
  if (from !== 'active' && state !== 'admitted') row.entered_at = at
  if (state === 'completed') row.ended_at = at
  if (fence !== null) row.fence = fence
  if (sessionEnd !== null) row.session_end = sessionEnd
  if (deadline !== null) setDeadline(row, deadline)
}

function setDeadline(row: TicketPatch, deadline: number): void {
  row.deadline = deadline
  delete row.follow_session
}

/** What this batch does not know of the ticket, the ledger knows. */
function followSession(row: TicketPatch): void {
  if (row.reserved_seats !== undefined && row.reserved_seats > 0) return
  if (row.reserved_seats === 0 && row.session_end !== undefined) {
    setDeadline(row, row.session_end)
  } else {
    delete row.deadline
    row.follow_session = true
  }
}

/** What every ticket has that waits, and what only its owner has. */
function newRow(epoch: number, { number, identity, class: ticketClass, place }: Restored): NewTicket {
  return { number, identity, class: ticketClass, place, ...WAITING, epoch }
}

function changedRow(epoch: number, waiting: Drawn | undefined): NewTicket | undefined {
  return waiting && { ...whoJoined(waiting), ...WAITING, epoch, generation: 1 }
}

/**
 * A row for insert-waiting.sql. The profile is the JSON that the server wrote and the line carried, as it is: in a rush,
 * parsing and serialising it again would be half of the work.
 */
function waitingRow({ at, seq, change }: Drawn): string {
  const { number, identity, class: ticketClass, place, code, limitKey, shown, profile } = change
  const ordinary = `{"number":${number},"identity":${JSON.stringify(identity)},"class":${ticketClass},"place":${place},"joined_at":${at},"drawn_seq":${seq}`
  const isPlain = code === null && limitKey === null && shown === null
  const particular = isPlain ? '' : `,${JSON.stringify({ code, limit_key: limitKey, shown }).slice(1, -1)}`
  return `${ordinary}${particular}${profile === '{}' ? '' : ','}${profile.slice(1)}`
}

/** A ticket that an entry drew. */
interface Drawn {
  readonly at: number
  readonly seq: number
  readonly change: Joined
}

type NewTicket = TicketPatch & Record<string, unknown>

const WAITING = { state: 'waiting', away: false, extended: false, reserved_seats: 0 }

function whoJoined({ at, seq, change }: Drawn): NewTicket {
  // The server wrote the profile; the line only carried it.
  const profile = JSON.parse(change.profile) as TicketProfile
  // What is undefined is not written, and costs neither side anything; for the ledger it is null.
  return {
    number: change.number,
    identity: change.identity,
    class: change.class,
    place: change.place,
    joined_at: at,
    drawn_seq: seq,
    code: change.code ?? undefined,
    limit_key: change.limitKey ?? undefined,
    shown: change.shown ?? undefined,
    user_id: profile.userId ?? undefined,
    guest_id: profile.guestId ?? undefined,
    name: profile.name ?? undefined,
    avatar: profile.avatar ?? undefined,
    address: profile.address ?? undefined,
    user_agent: profile.userAgent ?? undefined,
    metadata: profile.metadata ?? undefined,
  }
}
