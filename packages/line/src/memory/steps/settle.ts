import { lastWordOnEach, type SeatCounts, type SettledClaim, type Settlement, type SettleReply } from '../../gate.ts'
import { isSoldOut } from '../../room-state.ts'
import { withSums } from '../rules/floor-sums.ts'
import { append, type Room } from '../state/room.ts'
import type { FloorRecord } from '../state/ticket.ts'
import { findTicket } from '../tickets/find-ticket.ts'
import { moveDeadline } from '../tickets/move-deadline.ts'
import { setTakes } from '../tickets/takes.ts'

/** Tells the gate the ledger's word: the outcome of claims, and the seat counts after them. Rules M14, M24 and M26. */
export function settle(room: Room, { results, ...counts }: Settlement): SettleReply {
  const left: number[] = []
  const entries: SharedEntry[] = []
  for (const result of lastWordOnEach(results)) {
    endTake(room, result)
    if (!applyResult(room, result, counts.version, entries)) left.push(result.number)
  }
  for (const entry of entries) append(room, nameOf(counts.version), { kind: 'reserved', ...entry })
  updateCounts(room, counts)
  return { seq: room.seq, left }
}

function endTake(room: Room, { number, operation }: SettledClaim): void {
  const takes = room.takes.get(number)
  if (takes === undefined) return
  setTakes(
    room,
    number,
    takes.filter((other) => other.operation !== operation),
  )
}

/** False when the ticket reserved but is not on the floor any more. */
function applyResult(room: Room, { number, reserved }: SettledClaim, version: number, entries: SharedEntry[]): boolean {
  if (reserved === undefined) return true
  const floor = findTicket(room, number, null, nameOf(version))?.ticket.floor ?? null
  if (floor === null) return reserved === null
  const { quantity, until } = reserved ?? { quantity: 0, until: null }
  if (!isNewer(floor, version, quantity, until)) return true
  floor.seatsVersion = version
  if (quantity === floor.reservedSeats && (until === null || until === floor.deadline)) return true
  withSums(room, number, () => {
    floor.reservedSeats = quantity
  })
  moveDeadline(room, number, floor, until ?? floor.sessionDeadline)
  noteReservation(entries, number, until, quantity)
  return true
}

/** Consecutive tickets with the same deadline and quantity share one log entry. */
interface SharedEntry {
  readonly numbers: number[]
  readonly deadline: number | null
  readonly quantity: number
}

function noteReservation(entries: SharedEntry[], number: number, deadline: number | null, quantity: number): void {
  const last = entries.at(-1)
  if (last?.deadline === deadline && last.quantity === quantity) last.numbers.push(number)
  else entries.push({ numbers: [number], deadline, quantity })
}

/** More time for the same seats makes no new version of the seat map, so within one version a later deadline is newer. */
function isNewer(floor: FloorRecord, version: number, quantity: number, until: number | null): boolean {
  if (version !== floor.seatsVersion) return version > floor.seatsVersion
  return quantity === floor.reservedSeats && until !== null && until > floor.deadline
}

function updateCounts(room: Room, { version, stock, heldSeats }: SeatCounts): void {
  if (version <= room.stockVersion) return
  const before = { stock: room.stock, soldOut: isSoldOut(room) }
  Object.assign(room, { stockVersion: version, stock, heldSeats })
  const soldOut = isSoldOut(room)
  if (stock === before.stock && soldOut === before.soldOut) return
  const flip = soldOut === before.soldOut ? {} : { soldOut }
  append(room, nameOf(version), { kind: 'changed', by: 'seats', stock, ...flip })
}

/** The operation in the log. The client's own operation id stays out of it: the log is public. */
const nameOf = (version: number): string => `seats-${version}`
