import type { Corrected } from '../../log-entry.ts'
import { type LoadedTicket, type RoomState, rulesOf } from '../../room-state.ts'
import { withSums } from '../rules/floor-sums.ts'
import { append, createRoom, type Room, startClock } from '../state/room.ts'
import { type FloorRecord, type Ticket, UNMOVED } from '../state/ticket.ts'
import { keepCompanion, keepTicket } from '../tickets/add-to-line.ts'
import { endTicket, leavePosition } from '../tickets/end-ticket.ts'
import { markAway } from '../tickets/mark-away.ts'

/** A room being loaded under an epoch, in chunks; not visible yet. */
export interface Loading {
  readonly room: Room
  readonly state: RoomState
}

export function beginLoading(id: string, epoch: number, state: RoomState): Loading {
  return { room: createRoom(id, epoch, state), state }
}

/** Puts tickets into the room at once: keeping them until the end would take the memory of a whole line twice. */
export function loadInto({ room }: Loading, tickets: readonly LoadedTicket[]): void {
  for (const ticket of tickets)
    if (!room.tickets.has(ticket.number) && !room.companions.has(ticket.number)) place(room, ticket)
}

/** The room with its corrections, from now on; every ticket counts as seen now. Rules L24, L26, L41 and J4. */
export function finishLoading({ room, state }: Loading, now: number, corrections: readonly Corrected[]): Room {
  startClock(room, now)
  append(room, 'load', {
    kind: 'opened',
    reason: state.reason,
    nextNumber: state.nextNumber,
    waiting: room.line.size,
    floor: room.floor.size,
    rules: rulesOf(state),
  })
  const draw = state.start?.draw
  if (draw?.isNew === true) append(room, 'load', { kind: 'draw', ...draw.note })
  if (state.prices !== undefined) append(room, 'load', state.prices)
  for (const correction of corrections) correct(room, correction)
  return room
}

function correct(room: Room, correction: Corrected): void {
  const { number, state, deadline, sessionEnd, fence, quantity } = correction
  const ticket = room.tickets.get(number)
  if (ticket === undefined) throw new TypeError(`Ticket ${number} is corrected but was not loaded`)
  if (state === 'completed') {
    endTicket(room, ticket, 'completed', 'load', correction)
    return
  }
  leavePosition(room, ticket)
  ticket.state = state
  putOnFloor(room, ticket, { number, deadline, sessionEnd, fence, reservedSeats: quantity })
  append(room, 'load', correction)
}

function place(room: Room, loaded: LoadedTicket): void {
  const { number, identity, class: ticketClass, joinedAt, limitKey, generation, state, shown, extended } = loaded
  const ticket: Ticket = {
    ...{ number, identity, class: ticketClass, place: loaded.place, joinedAt, limitKey, generation, state, shown },
    ...UNMOVED,
    seen: 0,
    extended,
    companions: [],
  }
  const standsWith = loaded.standsWith === undefined ? undefined : room.tickets.get(loaded.standsWith)
  if (standsWith !== undefined) {
    keepCompanion(room, ticket, standsWith)
    return
  }
  keepTicket(room, ticket)
  if (state === 'waiting') {
    room.line.insert(loaded.place, number)
    room.oldestWaiting.note(number, ticket.seen)
    if (loaded.away) markAway(room, ticket)
    return
  }
  putOnFloor(room, ticket, loaded)
}

type OnFloor = Pick<LoadedTicket, 'number' | 'deadline' | 'sessionEnd' | 'fence' | 'reservedSeats'>

/** Puts a ticket on the floor that is not there yet, as the ledger has it. */
function putOnFloor(room: Room, ticket: Ticket, onFloor: OnFloor): void {
  const floor = floorRecordOf(onFloor, room.loadedVersion)
  withSums(room, ticket.number, () => {
    ticket.floor = floor
  })
  room.floor.insert(floor.deadline, ticket.number)
  if (ticket.state === 'admitted') room.admitted++
}

function floorRecordOf(
  { number, deadline, sessionEnd, fence, reservedSeats }: OnFloor,
  seatsVersion: number,
): FloorRecord {
  if (deadline === null || fence === null) throw new TypeError(`Ticket ${number} on the floor needs deadline and fence`)
  return { deadline, fence, sessionDeadline: sessionEnd ?? deadline, reservedSeats, seatsVersion, extendedBy: null }
}
