import { type LoadedTicket, type RoomState, rulesOf } from '../contract.ts'
import { keepTicket } from './enter-line.ts'
import { withSums } from './floor-sums.ts'
import { append, createRoom, type Room } from './room.ts'
import type { FloorRecord, Ticket } from './ticket.ts'

/** A room being loaded under an epoch, in chunks; nobody sees it yet. */
export interface Loading {
  readonly epoch: number
  readonly state: RoomState
  readonly tickets: Map<number, LoadedTicket>
}

/** Makes a room of what was loaded; everybody counts as seen now. Rules L24 and L26. */
export function buildRoom(id: string, now: number, { epoch, state, tickets }: Loading): Room {
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
  return room
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
  const floor = floorRecordOf(loaded, room.stockVersion)
  withSums(room, number, () => {
    ticket.floor = floor
  })
  room.floor.insert(floor.deadline, number)
  if (state === 'admitted') room.admitted++
}

function floorRecordOf(loaded: LoadedTicket, seatsVersion: number): FloorRecord {
  const { number, deadline, sessionEnd, fence, reservedSeats } = loaded
  if (deadline === null || fence === null) throw new TypeError(`Ticket ${number} on the floor needs deadline and fence`)
  return { deadline, fence, sessionDeadline: sessionEnd ?? deadline, reservedSeats, seatsVersion, extendedBy: null }
}
