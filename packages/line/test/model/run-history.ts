import { expect } from 'vitest'
import type { LoadedTicket, RestoreRequest, RoomState, SettledClaim, TicketAct } from '../../src/index.ts'
import { replay } from '../../src/index.ts'
import { type TestRoom, testState } from '../contract/test-room.ts'
import type { Command, Named, RoomCommand, SettledTake } from './commands.ts'
import { identityOf, joinRequestOf, loadedFrom } from './history-requests.ts'
import { modelAdmit } from './model-admit.ts'
import { modelAdopt } from './model-adopt.ts'
import { modelSettle, modelTake } from './model-gate.ts'
import { modelJoin, modelRestore } from './model-join.ts'
import { ModelRoom } from './model-room.ts'
import { modelSweep } from './model-sweep.ts'
import { isLive, type ModelTicket } from './model-ticket.ts'
import { eventOf } from './witnessed.ts'

/** Plays one history on a line and on the model, and compares every answer, the state and the log. */
export class HistoryRunner {
  readonly #room: TestRoom
  #model: ModelRoom
  #loaded: readonly LoadedTicket[]
  #operations = 0
  /** The last steps of this epoch, so that they can be repeated. */
  #steps: (() => Promise<void>)[] = []
  /** Every ticket that was ever drawn, by all epochs, as it was last known. */
  readonly #drawn: ModelTicket[] = []
  /** The entries of this epoch that were read before they were trimmed. */
  #read: Awaited<ReturnType<TestRoom['log']>> = []
  /** What happened at all, so that a test can show that it was not vacuous. */
  readonly #witness: Set<string>

  constructor(room: TestRoom, model: ModelRoom, witness: Set<string>) {
    this.#room = room
    this.#model = model
    this.#loaded = []
    this.#witness = witness
  }

  async run(history: readonly Command[]): Promise<void> {
    for (const command of history) {
      await this.#play(command)
      await this.#compareState()
    }
    await this.#compareLog()
  }

  async #play(command: Command): Promise<void> {
    const { line, at } = this.#room
    const model = this.#model
    switch (command.kind) {
      case 'join': {
        const requests = command.visitors.map(joinRequestOf)
        await this.#both(
          command,
          () => line.join(at, requests),
          () => requests.map((one) => modelJoin(model, one)),
        )
        this.#noteDrawn()
        return
      }
      case 'look': {
        const questions = command.questions.map((one) => ({ ...this.#act(one), heartbeat: one.heartbeat }))
        return this.#both(
          command,
          () => line.look(at, questions),
          () => questions.map((one) => model.look(one)),
        )
      }
      case 'heartbeat': {
        const numbers = command.tickets.map((index) => this.#ticket(index).number)
        return this.#both(
          command,
          () => line.heartbeat(at, numbers),
          () => model.heartbeat(numbers),
        )
      }
      case 'enter': {
        const acts = command.acts.map((one) => this.#act(one))
        return this.#both(
          command,
          () => line.enter(at, acts),
          () => acts.map((one) => model.enter(one)),
        )
      }
      case 'end': {
        const acts = command.acts.map((one) => ({ ...this.#act(one), as: one.as, operation: this.#operation() }))
        return this.#both(
          command,
          () => line.end(at, acts),
          () => acts.map((one) => model.end(one)),
        )
      }
      case 'extend': {
        const acts = command.acts.map((one) => ({ ...this.#act(one), byMs: one.byMs, operation: this.#operation() }))
        return this.#both(
          command,
          () => line.extend(at, acts),
          () => acts.map((one) => model.extend(one)),
        )
      }
      case 'move': {
        const acts = command.acts.map((one) => ({ ...this.#act(one), operation: this.#operation() }))
        return this.#both(
          command,
          () => line.move(at, acts),
          () => acts.map((one) => model.move(one)),
        )
      }
      case 'adopt': {
        const requests = command.adoptions.map(({ from, to }) => ({
          ...{ fromIdentity: identityOf(from), toIdentity: identityOf(to), userId: `user of ${to}` },
          operation: this.#operation(),
        }))
        return this.#both(
          command,
          () => line.adopt(at, requests),
          () => requests.map((one) => modelAdopt(model, one)),
        )
      }
      case 'restore': {
        const requests = command.restores.map((one) => this.#restoreRequest(one))
        return this.#both(
          command,
          () => line.restore(at, requests),
          () => requests.map((one) => modelRestore(model, one)),
        )
      }
      default:
        return this.#playRoom(command)
    }
  }

  /** What concerns the room as a whole. */
  async #playRoom(command: RoomCommand): Promise<void> {
    const { line, at } = this.#room
    const model = this.#model
    const given = { operation: this.#operation(), by: 'operator' }
    switch (command.kind) {
      case 'admit': {
        const { batch, operatorCount } = command
        const limit = { batch, operation: this.#operation(), ...(operatorCount === undefined ? {} : { operatorCount }) }
        return this.#both(
          command,
          () => line.admit(at, limit),
          () => modelAdmit(model, limit),
        )
      }
      case 'sweep': {
        const limit = { batch: command.batch }
        return this.#both(
          command,
          () => line.sweep(at, limit),
          () => modelSweep(model, limit),
        )
      }
      case 'change': {
        const change = { ...given, ...command.change }
        return this.#both(
          command,
          () => line.change(at, change),
          () => model.change(change),
        )
      }
      case 'window': {
        const change = { ...given, opensAt: model.now + command.opensIn, closesAt: model.now + command.closesIn }
        return this.#both(
          command,
          () => line.change(at, change),
          () => model.change(change),
        )
      }
      case 'take': {
        const requests = command.takes.map((one) => this.#takeRequest(one))
        return this.#both(
          command,
          () => line.take(at, requests),
          () => modelTake(model, requests),
        )
      }
      case 'settle': {
        const { newer, stock, heldSeats } = command
        const results = command.results.map((one) => this.#settledClaim(one))
        const settlement = { version: Math.max(0, model.state.stockVersion + newer), stock, heldSeats, results }
        return this.#both(
          command,
          () => line.settle(at, settlement),
          () => modelSettle(model, settlement),
        )
      }
      case 'advance':
        await this.#room.advance(command.ms)
        model.now += command.ms
        return
      case 'attend':
        await this.#room.attend(command.ms, (ms) => {
          model.now += ms
          modelSweep(model, { batch: 0 })
        })
        return
      case 'trim': {
        await this.#readLog()
        const upTo = Math.max(0, model.seq - command.behind)
        return this.#both(
          command,
          () => line.trim(at, upTo),
          () => model.trim(upTo),
        )
      }
      case 'repeat':
        await this.#steps[command.step % Math.max(1, this.#steps.length)]?.()
        return
      case 'load':
        return this.#load(command.losing, command.gap)
    }
  }

  /** Runs a step on both; when its reply is lost, the caller repeats it and only sees the second answer. */
  async #both({ kind, lost }: Command, onLine: () => Promise<unknown>, onModel: () => unknown): Promise<void> {
    const step = async () => {
      const [actual, expected] = [await onLine(), onModel()]
      expect(actual, kind).toEqual(expected)
      const replies = Array.isArray(expected) ? expected : []
      for (const reply of replies) this.#witness.add(`${kind}: ${reply.status ?? reply.state}`)
    }
    if (lost) {
      await onLine()
      onModel()
    }
    await step()
    this.#steps = [step, ...this.#steps].slice(0, 6)
  }

  async #compareState(): Promise<void> {
    const model = this.#model
    expect(await this.#room.now(), 'now').toEqual(model.readNow())
    expect(await this.#room.range(), 'range').toEqual(model.range())
    expect(await this.#room.present(), 'present').toEqual(model.present())
    expect(await this.#room.floor(), 'floor').toEqual(model.floor())
    const passes = this.#drawn.map(({ number, fence }) => ({ number, fence: fence ?? 1 }))
    const checks = await this.#room.line.check(this.#room.at, passes)
    expect(checks, 'passes').toEqual(passes.map((pass) => model.check(pass)))
  }

  /** Keeps what is new in the log, as a follower does. */
  async #readLog(): Promise<void> {
    const kept = await this.#room.log()
    expect(kept, 'kept log').toEqual(this.#model.keptLog())
    this.#read.push(...kept.filter(({ seq }) => seq > this.#read.length))
  }

  /** The whole log of the epoch, and what replaying it says (L20). */
  async #compareLog(): Promise<void> {
    const model = this.#model
    await this.#readLog()
    expect(this.#read, 'log').toEqual(model.log)
    for (const { change } of this.#read) this.#witness.add(eventOf(change))
    const { line, away, floor, ended } = replay(this.#read, this.#loaded)
    const numbers = (tickets: readonly { number: number }[]) => tickets.map(({ number }) => number)
    expect(numbers(line), 'replayed line').toEqual(numbers(model.line()))
    expect(numbers(away).sort(), 'replayed away').toEqual(numbers(model.awayTickets()).sort())
    const replayed = floor.map(({ number, state, deadline, fence, reservedSeats }) => ({
      number,
      state,
      deadline,
      fence,
      reservedSeats,
    }))
    expect(replayed, 'replayed floor').toEqual(model.floor())
    const known = model.tickets.filter((ticket) => !isLive(ticket))
    // A ticket that was forgotten may be restored and end once more: the last time counts.
    for (const { number, state, reason } of known) {
      expect(
        ended.findLast((ticket) => ticket.number === number),
        'replayed end',
      ).toMatchObject({ state, reason })
    }
  }

  /** A rebuild: the ledger has everything but the last few joins. */
  async #load(losing: number, gap: number): Promise<void> {
    await this.#compareLog()
    const before = this.#model
    const live = before.tickets.filter(isLive)
    const waiting = live.filter(({ state }) => state === 'waiting')
    const lost = waiting.slice(Math.max(0, waiting.length - losing))
    const kept = live.filter((ticket) => !lost.includes(ticket))
    const mark = Math.min(before.nextNumber, ...lost.map(({ number }) => number)) - 1
    const state: RoomState = {
      ...before.state,
      marks: { ...before.state.marks, [before.epoch]: mark },
      nextNumber: before.nextNumber + gap,
      usedCodes: before.usedCodes,
      reason: 'rebuild',
    }
    const loaded = kept.map(loadedFrom)
    const epoch = before.epoch + 1
    await this.#room.load(epoch, { state, settings: state.settings, tickets: loaded })
    this.#model = new ModelRoom(epoch, before.now, state, loaded)
    this.#loaded = loaded
    this.#read = []
    this.#steps = []
  }

  #operation(): string {
    this.#operations++
    return `operation-${this.#operations}`
  }

  #noteDrawn(): void {
    for (const ticket of this.#model.tickets) {
      const index = this.#drawn.findIndex(({ number }) => number === ticket.number)
      if (index < 0) this.#drawn.push(ticket)
      else this.#drawn[index] = ticket
    }
  }

  #ticket(index: number): {
    number: number
    identity: string
    generation: number
    place: number
    class: ModelTicket['class']
    joinedAt: number
  } {
    this.#noteDrawn()
    const unknown = {
      number: 1 + index,
      identity: 'unknown',
      generation: 1,
      place: index,
      class: 0 as const,
      joinedAt: 5,
    }
    return this.#drawn[index % Math.max(1, this.#drawn.length)] ?? unknown
  }

  #act({ ticket: index, isThief, olderBy }: Named): TicketAct {
    const { number, identity, generation } = this.#ticket(index)
    return { number, identity: isThief ? 'thief' : identity, generation: generation - olderBy }
  }

  #takeRequest({ ticket: index, quantity, olderFence }: { ticket: number; quantity: number; olderFence: boolean }) {
    const { number } = this.#ticket(index)
    const fence = this.#model.floorTickets().find((ticket) => ticket.number === number)?.fence ?? 1
    return { number, fence: olderFence ? fence - 1 : fence, quantity, operation: this.#operation() }
  }

  #settledClaim({ ticket: index, isClaim, quantity, untilMs }: SettledTake): SettledClaim {
    const { number } = this.#ticket(index)
    const taken = this.#model.takes.findLast((take) => take.number === number)
    const operation = isClaim && taken !== undefined ? taken.operation : this.#operation()
    if (quantity === undefined) return { operation, number }
    return { operation, number, reserved: quantity === 0 ? null : { until: this.#model.now + untilMs, quantity } }
  }

  #restoreRequest({
    ticket: index,
    fromEpoch,
    strange,
  }: {
    ticket: number
    fromEpoch: number
    strange: boolean
  }): RestoreRequest {
    const { number, place, class: ticketClass, identity, generation, joinedAt } = this.#ticket(index)
    const epoch = strange ? fromEpoch : this.#model.epoch - 1
    return {
      number: strange ? number + fromEpoch : number,
      place,
      class: ticketClass,
      identity,
      generation,
      epoch,
      joinedAt,
    }
  }
}

/** What the first epoch of a history starts from. */
export function startingState(): Omit<RoomState, 'settings'> {
  return { ...testState(), logMax: 30, followWithinMs: 45_000 }
}
