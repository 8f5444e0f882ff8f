import type { Corrected } from '../../log-entry.ts'
import { type LoadedTicket, type RoomState, rulesOf } from '../../room-state.ts'
import { withSums } from '../rules/floor-sums.ts'
import { append, createRoom, type Room } from '../state/room.ts'
import type { FloorRecord, Ticket } from '../state/ticket.ts'
import { keepTicket } from '../tickets/add-to-line.ts'
import { endTicket, leavePosition } from '../tickets/end-ticket.ts'

/** A room being loaded under an epoch, in chunks; not visible yet. */
export interface Loading {
  readonly epoch: number
  readonly state: RoomState
  readonly tickets: Map<number, LoadedTicket>
}

/** Makes a room of the loaded tickets and their corrections; every ticket counts as seen now. Rules L24, L26 and L41. */
export function buildRoom(
  id: string,
  now: number,
  { epoch, state, tickets }: Loading,
  corrections: readonly Corrected[],
): Room {
  const room = createRoom(id, epoch, now, state)
  for (const loaded of tickets.values()) place(room, loaded)
  append(room, 'load', {
    kind: 'opened',
    reason: state.reason,
    nextNumber: state.nextNumber,
    waiting: room.line.size,
    floor: room.floor.size,
    rules: rulesOf(state),
  })
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
    reason: null,
    seen: 0,
    awayUntil: null,
    floor: null,
    extended,
    movedBy: null,
  }
  keepTicket(room, ticket)
  if (state === 'waiting') {
    if (loaded.away) {
      ticket.awayUntil = room.now + room.settings.graceSeconds * 1_000
      room.away.insert(ticket.awayUntil, number)
    } else room.line.insert(loaded.place, number)
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
