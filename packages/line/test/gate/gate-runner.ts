import { expect } from 'vitest'
import { type FloorItem, OUTSIDE_FROM, outsideNumber, type Settlement, TAKE_MS } from '../../src/index.ts'
import type { TestRoom } from '../contract/test-room.ts'
import type { GateCommand } from './gate-commands.ts'
import type { TestLedger } from './test-ledger.ts'

/** A claim that passed the gate and has not reached the ledger; quantity 0 gives back what the ticket has. */
interface Claim {
  number: number
  fence: number
  quantity: number
  operation: string
  overAt: number
}

/** Plays the servers between the gate and the ledger, and checks after every step that no promise is broken. */
export class GateRunner {
  readonly #room: TestRoom
  readonly #ledger: TestLedger
  /** Whether a server tells the gate before it gives seats back. Without that, a promise is broken now and then. */
  readonly #announces: boolean
  readonly #witness: Set<string>
  #claims: Claim[] = []
  #settlements: Settlement[] = []
  #joined = 0

  constructor(room: TestRoom, ledger: TestLedger, announces: boolean, witness: Set<string>) {
    this.#room = room
    this.#ledger = ledger
    this.#announces = announces
    this.#witness = witness
  }

  async run(commands: readonly GateCommand[]): Promise<void> {
    for (const command of commands) {
      await this.#play(command)
      await this.#checkPromises()
    }
    await this.#comeToRest()
    await this.#allBuy()
  }

  async #play(command: GateCommand): Promise<void> {
    const room = this.#room
    switch (command.kind) {
      case 'join':
        await room.crowd(command.count, `crowd-${this.#joined++}`)
        return
      case 'admit':
        await room.admit()
        return
      case 'take':
        return this.#take(await this.#onFloor(command.ticket), command.quantity)
      case 'door':
        return this.#sellAtDoor(command.quantity)
      case 'takeAgain': {
        const claim = pick(this.#claims, command.claim)
        if (claim !== undefined) await this.#ask(claim)
        return
      }
      case 'commit':
        return this.#commit(pick(this.#claims, command.claim))
      case 'refuse':
        return this.#refuse(pick(this.#claims, command.claim))
      case 'die':
        this.#forget(pick(this.#claims, command.claim))
        return
      case 'settle': {
        const settlement = pick(this.#settlements, command.settlement)
        if (settlement !== undefined) await this.#settle(settlement, command.twice)
        return
      }
      case 'news':
        await room.line.settle(room.at, this.#ledger.news())
        return
      case 'giveBack':
        return this.#giveBack(await this.#onFloor(command.ticket))
      case 'leave':
        return this.#leave(await this.#onFloor(command.ticket))
      case 'pay':
        return this.#pay(await this.#onFloor(command.ticket))
      case 'wait':
        return this.#wait(command.ms)
    }
  }

  async #take(ticket: FloorItem | undefined, quantity: number): Promise<void> {
    if (ticket === undefined) return
    const { number, fence } = ticket
    const claim = { number, fence, quantity, operation: this.#room.operation(), overAt: 0 }
    if (await this.#ask(claim)) this.#claims.push(claim)
  }

  async #sellAtDoor(quantity: number): Promise<void> {
    const operation = this.#room.operation()
    const claim = { number: outsideNumber(operation), fence: 0, quantity, operation, overAt: 0 }
    const isLetThrough = await this.#ask(claim)
    if (isLetThrough) this.#claims.push(claim)
    this.#witness.add(isLetThrough ? 'sold at the door' : 'refused at the door')
  }

  async #ask(claim: Claim): Promise<boolean> {
    const [reply] = await this.#room.line.take(this.#room.at, [claim])
    this.#witness.add(reply?.status ?? 'nothing')
    if (reply?.status !== 'taken') return false
    claim.overAt = (await this.#room.now()).now + TAKE_MS
    return true
  }

  /** Whatever passed the gate finds its seats: nothing was promised twice. */
  async #commit(claim: Claim | undefined): Promise<void> {
    if (claim === undefined) return
    const { number, quantity, operation } = claim
    this.#forget(claim)
    if (quantity === 0) {
      this.#settlements.push(this.#ledger.release(number, operation))
      return
    }
    const settlement =
      number >= OUTSIDE_FROM
        ? this.#ledger.sellOutside(number, quantity, operation)
        : this.#ledger.claim(number, quantity, operation)
    expect(settlement, `${quantity} seats for ticket ${number}`).not.toBeNull()
    if (settlement !== null) this.#settlements.push(settlement)
  }

  #refuse(claim: Claim | undefined): void {
    if (claim === undefined || claim.quantity === 0) return
    const { number, operation } = claim
    this.#forget(claim)
    this.#settlements.push({ ...this.#ledger.news(), results: [{ operation, number }] })
  }

  async #settle(settlement: Settlement, twice: boolean): Promise<void> {
    const { line, at } = this.#room
    this.#settlements = this.#settlements.filter((other) => other !== settlement)
    if (twice) await line.settle(at, settlement)
    const { left } = await line.settle(at, settlement)
    for (const number of left) {
      // Another server may have given the seats back already.
      this.#witness.add('left')
      this.#settlements.push(this.#ledger.release(number, this.#room.operation()))
    }
  }

  async #giveBack(ticket: FloorItem | undefined): Promise<void> {
    if (ticket === undefined || this.#ledger.seatsOf(ticket.number) === 0) return
    if (this.#announces) return this.#take(ticket, 0)
    this.#settlements.push(this.#ledger.release(ticket.number, this.#room.operation()))
  }

  /** The ticket ends, and its seats return when the ledger hears of it. */
  async #leave(ticket: FloorItem | undefined): Promise<void> {
    if (ticket === undefined) return
    const operation = await this.#end(ticket)
    if (this.#ledger.seatsOf(ticket.number) > 0) {
      this.#settlements.push(this.#ledger.release(ticket.number, operation))
    }
  }

  async #pay(ticket: FloorItem | undefined): Promise<void> {
    if (ticket === undefined || this.#ledger.seatsOf(ticket.number) === 0) return
    const { number } = ticket
    // A visitor who is choosing again does not pay at the same time.
    if (this.#claims.some((claim) => claim.number === number)) return
    this.#settlements.push(this.#ledger.sell(number, await this.#end(ticket)))
  }

  async #end({ number }: FloorItem): Promise<string> {
    const operation = this.#room.operation()
    await this.#room.line.end(this.#room.at, [{ number, identity: '', generation: 0, as: 'terminated', operation }])
    return operation
  }

  /** Time passes: claims that were not committed are over, and all that was committed is told in time. */
  async #wait(ms: number): Promise<void> {
    while (this.#settlements[0] !== undefined) await this.#settle(this.#settlements[0], false)
    await this.#room.line.settle(this.#room.at, this.#ledger.news())
    await this.#room.advance(ms)
    const { now } = await this.#room.now()
    this.#claims = this.#claims.filter(({ overAt }) => overAt > now)
  }

  #forget(claim: Claim | undefined): void {
    this.#claims = this.#claims.filter((other) => other !== claim)
  }

  async #onFloor(index: number): Promise<FloorItem | undefined> {
    return pick(await this.#room.floor(), index)
  }

  /** Rules B11 and I27, by what the ledger really has: a seat for each without one, beside all claims under way. */
  async #checkPromises(): Promise<void> {
    const floor = await this.#room.floor()
    const isClaiming = (number: number) => this.#claims.some((claim) => claim.number === number && claim.quantity > 0)
    const unserved = floor.filter(({ number }) => this.#ledger.seatsOf(number) === 0 && !isClaiming(number))
    const claiming = [...new Set(this.#claims.map(({ number }) => number))]
    const cost = claiming.reduce((sum, number) => sum + this.#costOf(number), 0)
    expect(this.#ledger.available - cost, 'seats for those without one').toBeGreaterThanOrEqual(unserved.length)
  }

  #costOf(number: number): number {
    const asked = this.#claims.filter((claim) => claim.number === number).map(({ quantity }) => quantity)
    return Math.max(0, Math.max(...asked) - this.#ledger.seatsOf(number))
  }

  /** All that is under way ends or is forgotten. */
  async #comeToRest(): Promise<void> {
    this.#claims = []
    await this.#wait(TAKE_MS)
    await this.#room.admit()
    const { stock, taken, promised, waiting, floor, settings } = await this.#room.now()
    expect({ stock, taken }).toEqual({ stock: this.#ledger.available, taken: 0 })
    expect(stock).toBeGreaterThanOrEqual(promised)
    // No ticket waits while there is a seat that is not promised.
    if (waiting > 0 && floor < settings.capacity) expect(promised).toBe(stock)
    this.#witness.add(waiting > 0 && floor < settings.capacity ? 'waits for stock' : 'waits for nothing')
  }

  async #allBuy(): Promise<void> {
    for (const { number, fence } of await this.#room.floor()) {
      if (this.#ledger.seatsOf(number) > 0) continue
      const operation = this.#room.operation()
      const [reply] = await this.#room.line.take(this.#room.at, [{ number, fence, quantity: 1, operation }])
      expect(reply).toMatchObject({ status: 'taken' })
      const settlement = this.#ledger.claim(number, 1, operation)
      expect(settlement).not.toBeNull()
      if (settlement !== null) await this.#room.line.settle(this.#room.at, settlement)
    }
  }
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(1, items.length)]
}
