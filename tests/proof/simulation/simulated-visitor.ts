import type { ClientRecord } from '@seatwise/checker'
import type { JoinReply, RoomAt, TicketAct, TicketClass, TicketView } from '@seatwise/line'
import type { Hold } from './model-ledger.ts'
import type { SimulatedRoom } from './simulated-room.ts'

/** What a ticket token says. */
interface Token {
  readonly number: number
  readonly place: number
  readonly class: TicketClass
  readonly generation: number
  readonly epoch: number
  readonly joinedAt: number
}

/** A visitor who joins, waits, buys, leaves, falls asleep or moves to another device, at random. */
export class SimulatedVisitor {
  readonly #room: SimulatedRoom
  readonly #identity: string
  readonly #class: TicketClass
  #token: Token | null = null
  /** The fence of a pass that a newer one has ended. */
  #oldFence: number | null = null
  #holds = 0
  #visits = 0

  constructor(room: SimulatedRoom, index: number) {
    this.#room = room
    this.#identity = `visitor-${index}`.padEnd(16, '_')
    this.#class = room.chance(0.8) ? 0 : room.chance(0.5) ? 1 : 2
  }

  arrive(): void {
    this.#join()
  }

  #join(): void {
    const room = this.#room
    const server = room.anyServer()
    const { epoch } = server
    const write = this.#recordJoin()
    const request = { identity: this.#identity, class: this.#class, profile: '{}' }
    room.send(
      server,
      async (at) => first(await room.line.join(at, [request])),
      (reply) => this.#joined(reply, epoch, write),
    )
  }

  /** Asking again for the same ticket is the same operation. */
  #recordJoin(): Write {
    const operation = `join ${this.#identity} ${this.#visits}`
    return this.#room.record(this.#identity, 'join', { identity: this.#identity, operation })
  }

  #joined(reply: JoinReply | null, epoch: number, write: Write): void {
    const room = this.#room
    if (reply === null) {
      write('info')
      room.schedule.after(room.between(500, 2_000), () => this.#join())
    } else if (reply.status === 'joined' || reply.status === 'present') {
      // A visitor with a ticket changed nothing by asking: a copy of an earlier call may have come late and drawn it.
      write('ok', { ...told(reply, epoch), ...(reply.status === 'present' ? { read: true } : {}) })
      this.#hold(reply, epoch)
      this.#later()
    } else {
      write('fail')
      room.saw(`join ${reply.status}`)
    }
  }

  #hold({ number, place, class: ticketClass, generation, joinedAt }: TicketView, epoch: number): void {
    this.#token = { number, place, class: ticketClass, generation, joinedAt, epoch }
  }

  /** Looks again after a while; now and then the visitor falls asleep and is away when called. */
  #later(): void {
    const room = this.#room
    const isAsleep = room.chance(0.08)
    room.schedule.after(isAsleep ? room.between(8_000, 25_000) : room.between(500, 3_000), () => this.#look())
  }

  #look(): void {
    const room = this.#room
    const token = this.#token
    if (token === null) {
      this.#join()
      return
    }
    const server = room.anyServer()
    const { epoch } = server
    const write = room.record(this.#identity, 'status', { read: true, ticket: token.number })
    const question = { ...token, identity: this.#identity, heartbeat: true }
    room.send(
      server,
      async (at) => first(await room.line.look(at, [question])),
      (view) => {
        if (view === null) write('info')
        else if (view.state !== null) write('ok', told(view, epoch))
        else write('fail')
        this.#react(view, epoch)
      },
    )
  }

  #react(view: TicketView | null, epoch: number): void {
    const room = this.#room
    const state = view?.state
    if (state === 'completed' || state === 'expired') this.#goHome(view)
    else if (state === null) this.#askLedger(epoch)
    else if (state === 'waiting' && room.chance(0.06)) {
      if (room.chance(0.5)) this.#end('leave')
      else this.#move(epoch)
    } else if (state === 'admitted' && !room.chance(0.1)) this.#claim()
    else if (view !== null && state === 'active') this.#onFloor(view, epoch)
    else this.#later()
  }

  #goHome(view: TicketView | null): void {
    const room = this.#room
    room.saw(`ended: ${view?.reason ?? view?.state}`)
    if (view?.state === 'completed' || view?.reason === 'cancelled' || room.chance(0.5)) return
    this.#startAnew()
  }

  #startAnew(): void {
    this.#token = null
    this.#visits += 1
    this.#room.schedule.after(this.#room.between(500, 3_000), () => this.#join())
  }

  /** The line does not know the ticket: either it ended and is forgotten, or it was lost with the line. */
  #askLedger(epoch: number): void {
    const room = this.#room
    const token = this.#token
    if (token === null || room.ledger.knows(token.number) || token.epoch >= epoch) {
      this.#startAnew()
      return
    }
    const server = room.anyServer()
    const request = { ...token, identity: this.#identity }
    const write = this.#recordJoin()
    room.send(
      server,
      async (at) => first(await room.line.restore(at, [request])),
      (reply) => {
        if (reply?.status === 'joined') room.saw('brought back')
        if (reply?.status === 'refused') {
          write('fail')
          this.#startAnew()
        } else this.#joined(reply, server.epoch, write)
      },
    )
  }

  #claim(): void {
    this.#act(
      'enter',
      async (at, act) => first(await this.#room.line.enter(at, [act])),
      (reply) => (reply.status === 'active' ? { state: 'active', ...fenceOf(reply) } : null),
    )
  }

  #end(how: 'leave' | 'complete'): void {
    const as = how === 'leave' ? 'cancelled' : 'completed'
    const operation = `${how} ${this.#identity} ${this.#room.schedule.nowMs}`
    this.#act(
      how,
      async (at, act) => first(await this.#room.line.end(at, [{ ...act, as, operation }])),
      ({ status }) =>
        status === 'ended' || status === 'was_ended' ? { state: how === 'leave' ? 'expired' : 'completed' } : null,
    )
  }

  /** To another device: the old pass, if there was one, ends. */
  #move(epoch: number): void {
    const operation = `move ${this.#identity} ${this.#room.schedule.nowMs}`
    this.#act(
      'move',
      async (at, act) => first(await this.#room.line.move(at, [{ ...act, operation }])),
      (reply) => {
        if (reply.status !== 'moved_here') return null
        this.#hold(reply, epoch)
        this.#room.saw('moved')
        return fenceOf(reply)
      },
    )
  }

  /** Does something with the ticket, writes down how it ended, and looks again later. `done`: null when refused. */
  #act<Reply extends { status: string; seq: number }>(
    action: string,
    step: (at: RoomAt, act: TicketAct) => Promise<Reply>,
    done: (reply: Reply) => Partial<ClientRecord> | null,
  ): void {
    const room = this.#room
    const token = this.#token
    if (token === null) return
    const operation = `${action} ${token.number}`
    const write = room.record(this.#identity, action, { ticket: token.number, operation })
    const act = { number: token.number, identity: this.#identity, generation: token.generation }
    const server = room.anyServer()
    const { epoch } = server
    room.send(
      server,
      (at) => step(at, act),
      (reply) => {
        const told = reply === null ? null : done(reply)
        if (reply === null) write('info')
        else if (told === null) write('fail')
        else write('ok', { ticket: token.number, epoch, seq: reply.seq, ...told })
        // Another device of theirs has the ticket, for all they know: joining finds it.
        if (reply?.status === 'moved') this.#startAnew()
        else this.#later()
      },
    )
  }

  #onFloor(view: TicketView, epoch: number): void {
    const room = this.#room
    const held = [...room.ledger.holds.values()].find(
      ({ ticket, state }) => ticket === view.number && state !== 'ended',
    )
    if (this.#oldFence !== null && this.#oldFence !== view.fence) this.#tryOldPass(view, this.#oldFence)
    if (held?.state === 'sold') this.#end('complete')
    else if (held !== undefined) this.#pay(held)
    else if (room.chance(0.1)) this.#end('leave')
    else if (room.chance(0.08)) {
      this.#oldFence = view.fence
      this.#move(epoch)
    } else if (room.chance(0.7)) this.#reserve(view)
    else this.#later()
  }

  /** A pass that was replaced: a visitor who is served with it has found a hole. */
  #tryOldPass({ number }: TicketView, fence: number): void {
    const room = this.#room
    const write = room.record(this.#identity, 'check', { ticket: number, fence, isProtected: true })
    room.send(
      room.anyServer(),
      async (at) => first(await room.line.check(at, [{ number, fence }])),
      (reply) => {
        if (reply === null) write('info')
        else if (reply.status === 'counts') write('ok')
        else {
          room.saw('old pass refused')
          write('fail')
        }
      },
    )
  }

  #reserve({ number, fence }: TicketView): void {
    const room = this.#room
    this.#holds += 1
    const operation = `${this.#identity} ${this.#holds}`
    const quantity = room.chance(0.3) ? 2 : 1
    room.send(
      room.anyServer(),
      async (at) => first(await room.line.take(at, [{ number, fence: fence ?? 0, quantity, operation }])),
      (reply) => {
        if (reply?.status === 'taken') this.#claimSeats(number, fence ?? 0, quantity, operation)
        else if (reply !== null) room.saw(`take ${reply.status}`)
        this.#later()
      },
    )
  }

  #claimSeats(ticket: number, fence: number, quantity: number, operation: string): void {
    const room = this.#room
    const nowMs = room.schedule.nowMs
    const untilMs = nowMs + room.settings.reservationSeconds * 1_000
    const hold = { id: operation, ticket, fence, buyer: this.#identity, operation, quantity, untilMs }
    const isHeld = room.ledger.claim(hold, nowMs, room.id)
    if (isHeld) room.saw('reserved')
    tellLine(room)
    room.schedule.after(untilMs - nowMs, () => {
      const kept = room.ledger.holds.get(operation)
      if (kept !== undefined) room.ledger.end(kept, 'expire', room.schedule.nowMs)
      tellLine(room)
    })
  }

  #pay(hold: Hold): void {
    const room = this.#room
    if (room.chance(0.2)) {
      room.ledger.end(hold, 'release', room.schedule.nowMs)
    } else if (room.chance(0.6)) {
      room.ledger.end(hold, 'sell', room.schedule.nowMs)
      room.saw('sold')
    }
    tellLine(room)
    this.#later()
  }
}

type Write = ReturnType<SimulatedRoom['record']>

/** Brings the line the ledger's word on every hold; any server may do it, and does so again and again. */
export function tellLine(room: SimulatedRoom): void {
  const results = [...room.ledger.holds.values()].map(
    ({ operation, ticket: number, state, untilMs: until, quantity }) => ({
      ...{ operation, number },
      reserved: state === 'ended' ? null : { until, quantity },
    }),
  )
  const settlement = { ...room.ledger.counts(), results }
  room.send(
    room.anyServer(),
    (at) => room.line.settle(at, settlement),
    () => undefined,
  )
}

function told(view: TicketView, epoch: number): Partial<ClientRecord> {
  const { number: ticket, state, place, seq, rank } = view
  return {
    ...{ ticket, place, epoch, seq, exact: true },
    ...(state === null ? {} : { state }),
    ...(rank === null ? {} : { rank }),
    ...fenceOf(view),
  }
}

function fenceOf({ fence }: { fence?: number | null }): Partial<ClientRecord> {
  return typeof fence === 'number' ? { fence } : {}
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('A step answered nothing')
  return item
}
