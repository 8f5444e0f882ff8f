import type { SettledClaim, Settlement, SettleReply, TakeReply, TakeRequest } from '../../src/index.ts'
import type { ModelRoom } from './model-room.ts'
import { isOnFloor, type ModelTicket } from './model-ticket.ts'

/** A claim that passed the gate. */
export interface ModelTake {
  number: number
  operation: string
  quantity: number
  endsAt: number
}

/** What takes may cost, and how many seats are promised, counted ticket by ticket. Rules M21, M22 and M25. */
export function gateSums(room: ModelRoom): { taken: number; promised: number } {
  const claiming = new Set(room.takes.map(({ number }) => number))
  const taken = [...claiming].reduce((sum, number) => sum + costOf(room, number, room.takes), 0)
  return { taken, promised: room.floorTickets().filter((ticket) => isPromised(room, ticket)).length }
}

export function overdueTakes(room: ModelRoom): ModelTake[] {
  const overdue = room.takes.filter(({ endsAt }) => endsAt <= room.now)
  return overdue.sort((left, right) => left.endsAt - right.endsAt || left.number - right.number)
}

export function modelTake(room: ModelRoom, requests: readonly TakeRequest[]): TakeReply[] {
  const overdue = overdueTakes(room)
  room.takes = room.takes.filter((take) => !overdue.includes(take))
  return requests.map((request) => takeOne(room, request))
}

function takeOne(room: ModelRoom, { number, fence, quantity, operation }: TakeRequest): TakeReply {
  const { seq } = room
  const ticket = room.floorTickets().find((other) => other.number === number)
  const counts = room.check({ number, fence }).status === 'counts'
  if (ticket === undefined || (quantity > 0 && !counts)) return { status: 'stale', seq }
  const { reservationSeconds } = room.state.settings
  const visitEnd = (ticket.session ?? 0) + reservationSeconds * 1_000
  const leftSeconds = Math.floor((visitEnd - room.now) / 1_000)
  if (quantity > 0 && leftSeconds < 1) return { status: 'no_time', seq }
  const others = room.takes.filter((take) => take.number !== number || take.operation !== operation)
  const wanted = [...others, { number, operation, quantity, endsAt: room.now + 15_000 }]
  const isRepeated = room.takes.some((take) => !others.includes(take) && take.quantity === quantity)
  if (!isRepeated) {
    if (wanted.filter((take) => take.number === number).length > 8) return { status: 'busy', seq }
    const cost = costOf(room, number, wanted)
    const left = leftFor(room, ticket)
    if (cost > costOf(room, number, room.takes) && cost > left) {
      if (wanted.some((take) => take.number === number && take.operation !== operation)) return { status: 'busy', seq }
      if (room.soldOut) return { status: 'sold_out', seq }
      return { status: 'not_enough', available: ticket.reservedSeats + Math.max(0, left), seq }
    }
  }
  room.takes = wanted
  return { status: 'taken', ...(quantity > 0 && leftSeconds < reservationSeconds && { leftSeconds }), seq }
}

/** The stock without what others took or are promised; and the promised seat itself, if there is any. */
function leftFor(room: ModelRoom, ticket: ModelTicket): number {
  const { stock, settings } = room.state
  if (stock === null || !settings.stockAware) return Number.POSITIVE_INFINITY
  const { taken, promised } = gateSums(room)
  const takenByOthers = taken - costOf(room, ticket.number, room.takes)
  if (!isPromised(room, ticket)) return stock - takenByOthers - promised
  return Math.max(stock - takenByOthers - (promised - 1), stock > 0 ? 1 : 0)
}

function costOf(room: ModelRoom, number: number, takes: readonly ModelTake[]): number {
  const reserved = room.floorTickets().find((ticket) => ticket.number === number)?.reservedSeats ?? 0
  const asked = takes.filter((take) => take.number === number).map(({ quantity }) => quantity)
  return asked.length === 0 ? 0 : Math.max(...asked) - Math.min(reserved, ...asked)
}

function isPromised(room: ModelRoom, { number, reservedSeats }: ModelTicket): boolean {
  const takes = room.takes.filter((take) => take.number === number)
  return takes.length === 0 ? reservedSeats === 0 : takes.some(({ quantity }) => quantity === 0)
}

export function modelSettle(room: ModelRoom, { results, version, stock, heldSeats }: Settlement): SettleReply {
  const left: number[] = []
  const told: { numbers: number[]; deadline: number | null; quantity: number }[] = []
  for (const [index, result] of results.entries()) {
    const { number, operation } = result
    room.takes = room.takes.filter((take) => take.number !== number || take.operation !== operation)
    const isLastWord = !results
      .slice(index + 1)
      .some((later) => later.number === number && later.reserved !== undefined)
    if (!isLastWord) continue
    const reserved = tell(room, result, version)
    if (reserved === 'left') left.push(number)
    else if (reserved !== null) {
      const { deadline, quantity } = reserved
      const last = told.at(-1)
      if (last?.deadline === deadline && last.quantity === quantity) last.numbers.push(number)
      else told.push({ numbers: [number], ...reserved })
    }
  }
  for (const together of told) room.append(`seats-${version}`, { kind: 'reserved', ...together })
  const before = { stock: room.state.stock, soldOut: room.soldOut }
  if (version > room.state.stockVersion) {
    Object.assign(room.state, { stock, heldSeats, stockVersion: version })
    const { soldOut } = room
    const flip = soldOut === before.soldOut ? {} : { soldOut }
    if (stock !== before.stock || soldOut !== before.soldOut) {
      room.append(`seats-${version}`, { kind: 'changed', by: 'seats', stock, ...flip })
    }
  }
  return { seq: room.seq, left }
}

/** The ticket's new reservation, if it is newer; 'left' when the ticket reserved but is not on the floor. */
function tell(
  room: ModelRoom,
  { number, reserved }: SettledClaim,
  version: number,
): { deadline: number | null; quantity: number } | 'left' | null {
  if (reserved === undefined) return null
  const ticket = room.find(number, null, `seats-${version}`)
  if (ticket === undefined || !isOnFloor(ticket)) return reserved === null ? null : 'left'
  const quantity = reserved?.quantity ?? 0
  const deadline = reserved?.until ?? null
  const current = ticket.deadline ?? 0
  const isLater = quantity === ticket.reservedSeats && deadline !== null && deadline > current
  if (version < ticket.seatsVersion || (version === ticket.seatsVersion && !isLater)) return null
  ticket.seatsVersion = version
  if (quantity === ticket.reservedSeats && (deadline === null || deadline === current)) return null
  ticket.reservedSeats = quantity
  ticket.deadline = deadline ?? ticket.session
  return { deadline, quantity }
}
