import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TicketAct } from '../../src/index.ts'
import { letIn, loadedTicket, type OpenRoom, type TestRoom } from './test-room.ts'

const SETTINGS = { claimSeconds: 0, sessionSeconds: 60, reservationSeconds: 30 }

/** How long one admission may last, whatever is reserved, replaced, given back, extended or handed over. */
export function visitRules(openRoom: OpenRoom): void {
  test('[M28] [I30] a claim after the session lasts only for what is left of one reservation’s time', async () => {
    const room = await openRoom({ settings: SETTINGS })
    const ada = await letIn(room)
    expect(await room.take(ada, 1)).not.toHaveProperty('leftSeconds')
    await room.advance(60_000 - 1)
    expect(await room.take(ada, 1, 'last')).not.toHaveProperty('leftSeconds')
    await room.settle({ results: [held(ada, 'last', ada.now + 60_000 + 29_000)] })
    await room.advance(1 + 9_500)
    expect(await room.take(ada, 1)).toMatchObject({ status: 'taken', leftSeconds: 20 })
    await room.advance(19_499)
    expect(await room.take(ada, 1)).toMatchObject({ status: 'taken', leftSeconds: 1 })
    await room.settle({ results: [held(ada, 'paying', ada.now + 300_000)] })
    await room.advance(2)
    const before = await room.now()
    expect(await room.take(ada, 1)).toEqual({ status: 'no_time', seq: before.seq })
    expect((await room.now()).taken).toBe(before.taken)
  })

  test('[M28] [M25] giving seats back needs no time', async () => {
    const room = await openRoom({ settings: SETTINGS, state: { stock: 9 } })
    const ada = await letIn(room)
    await room.settle({ results: [held(ada, 'paying', ada.now + 300_000)] })
    await room.advance(100_000)
    expect(await room.take(ada, 0)).toMatchObject({ status: 'taken' })
  })

  test('[M28] more time on the floor is also more time for a reservation, and a hand-over gives none', async () => {
    const room = await openRoom({ settings: SETTINGS })
    const ada = await letIn(room)
    await room.settle({ results: [held(ada, 'held', ada.now + 90_000)] })
    await room.advance(80_000)
    await room.move(ada)
    expect(await room.take({ ...ada, generation: 2 }, 1)).toMatchObject({ leftSeconds: 10 })
    await room.extend({ ...ada, generation: 2 }, 15_000)
    expect(await room.take({ ...ada, generation: 2 }, 1)).toMatchObject({ leftSeconds: 25 })
  })

  test('[M28] a ticket that enters late has the whole time from entering on', async () => {
    const room = await openRoom({ settings: { ...SETTINGS, claimSeconds: 40 } })
    const ada = await letIn(room)
    await room.advance(39_000)
    // A room that reserves on admission does so before the visitor enters.
    expect(await room.take(ada, 1, 'on admission')).not.toHaveProperty('leftSeconds')
    await room.settle({ results: [held(ada, 'on admission', ada.now + 69_000)] })
    await room.enter(ada)
    await room.advance(29_000)
    expect(await room.take(ada, 1)).not.toHaveProperty('leftSeconds')
  })

  test('[M28] [L26] a rebuild and an adoption do not move the end of a visit', async () => {
    const room = await openRoom({ settings: SETTINGS })
    const { now } = await room.now()
    const floor = { state: 'active' as const, deadline: now + 70_000, sessionEnd: now + 10_000, fence: 7 }
    await room.load(room.epoch + 1, { settings: SETTINGS, tickets: [loadedTicket(1, { ...floor, reservedSeats: 1 })] })
    await room.advance(30_000)
    await room.line.adopt(room.at, [{ fromIdentity: 'loaded-1', toIdentity: 'ada', userId: 'ada', operation: 'adopt' }])
    expect(await room.take({ number: 1, identity: 'ada', generation: 1 }, 1)).toMatchObject({ leftSeconds: 10 })
  })

  test('[M28] [I30] no series of claims, cancellations, extensions and hand-overs outlasts the visit', async () => {
    const step = fc.constantFrom('claim', 'cancel', 'extend', 'move', 'look')
    const steps = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 20_000 })), { minLength: 5, maxLength: 30 })
    const property = fc.asyncProperty(steps, async (history) => {
      const visit = new Visit(await openRoom({ settings: SETTINGS }))
      await visit.enter()
      for (const [act, ms] of history) await visit.play(act, ms)
      await visit.expectToEnd()
    })
    await fc.assert(property, { numRuns: 40, seed: testSeed() })
  }, 60_000)
}

function held({ number }: { number: number }, operation: string, until: number) {
  return { operation, number, reserved: { until, quantity: 1 } }
}

/** A visitor who wants to keep seats for as long as possible, and a ledger that holds them as long as the gate says. */
class Visit {
  readonly #room: TestRoom
  #ticket: TicketAct & { now: number } = { number: 0, identity: '', generation: 0, now: 0 }
  #endsBy = 0

  constructor(room: TestRoom) {
    this.#room = room
  }

  async enter(): Promise<void> {
    this.#ticket = await letIn(this.#room)
    this.#endsBy = this.#ticket.now + (SETTINGS.sessionSeconds + SETTINGS.reservationSeconds) * 1_000
  }

  async play(act: string, ms: number): Promise<void> {
    if (act === 'claim') await this.#claim()
    else if (act === 'cancel') await this.#room.reserve(this.#ticket, null)
    else if (act === 'extend') await this.#extend(ms)
    else if (act === 'move') await this.#move()
    await this.#room.advance(ms)
    const { state, deadline } = await this.#room.look(this.#ticket)
    if (state === 'active') expect(deadline).toBeLessThanOrEqual(this.#endsBy)
  }

  async #claim(): Promise<void> {
    const operation = this.#room.operation()
    const reply = await this.#room.take(this.#ticket, 1, operation)
    if (reply.status !== 'taken') return
    const { now } = await this.#room.now()
    const until = now + (reply.leftSeconds ?? SETTINGS.reservationSeconds) * 1_000
    await this.#room.settle({ results: [held(this.#ticket, operation, until)] })
  }

  async #extend(byMs: number): Promise<void> {
    if ((await this.#room.extend(this.#ticket, byMs)).status === 'extended') this.#endsBy += byMs
  }

  async #move(): Promise<void> {
    const moved = await this.#room.move(this.#ticket)
    if (moved.status === 'moved_here') this.#ticket = { ...this.#ticket, generation: moved.generation }
  }

  async expectToEnd(): Promise<void> {
    const { now } = await this.#room.now()
    await this.#room.advance(Math.max(0, this.#endsBy - now))
    await this.#room.admit()
    expect(await this.#room.floor()).toEqual([])
  }
}
