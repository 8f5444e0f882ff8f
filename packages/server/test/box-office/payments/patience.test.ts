import { randomUUID } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentDesk, type PaymentDesk } from '../../../src/box-office/payments/payment-desk.ts'
import { query } from '../../support/payment-time.ts'
import { PaymentWorld } from './payment-world.ts'

const LONG_MS = 60_000
/** Of a ledger that was opened without saying how many. */
const CONNECTIONS_MAX = 10

let ledger: Ledger
beforeAll(async () => {
  ledger = await openScratchLedger()
})
afterAll(() => ledger.close())

it('[B48][B63] buyers who waited too long to begin paying are told to come again, and then pay under the same key', async () => {
  const { world, atDesk, clock } = await openHouse({ people: 3 })
  const seatMap = await lockSeatMap(world.eventId)
  const first = world.pay(0, 'sandbox_ok')
  await seatMap.isWaitedFor()
  const key = randomUUID()
  const others = [world.pay(1, 'sandbox_ok', key), world.pay(2, 'sandbox_ok')]
  await waitUntil('all are at the desk', () => atDesk.start === 3)
  clock.nowMs += LONG_MS
  await seatMap.release()
  expect(await Promise.all([first, ...others])).toEqual([503, 503, 503])
  expect(await world.purchases()).toEqual([])
  expect(await world.pay(1, 'sandbox_ok', key)).toBe(201)
})

it('[B63] a buyer is told in time that a payment cannot begin, and what was given up never begins', async () => {
  const { world } = await openHouse({ people: 2, patienceMs: 200 })
  const key = randomUUID()
  const seatMap = await lockSeatMap(world.eventId)
  // The seat map stays locked until they have their answer.
  expect(await Promise.all([world.pay(0, 'sandbox_ok', key), world.pay(1, 'sandbox_ok')])).toEqual([503, 503])
  await seatMap.release()
  // On a busy machine 200 ms may pass again before it begins: whatever was given up may be retried.
  await expect.poll(() => world.pay(0, 'sandbox_ok', key), { timeout: 20_000 }).toBe(201)
  expect(await world.purchases()).toHaveLength(1)
})

it('[B63] a buyer is told in time when a starved server cannot even look at the reservation', async () => {
  const { world } = await openHouse({ people: 1, patienceMs: 200 })
  const key = randomUUID()
  const busy = await takeAllConnections()
  expect(await world.pay(0, 'sandbox_ok', key)).toBe(503)
  await busy.release()
  expect(await world.purchases()).toEqual([])
  // On a busy machine 200 ms may pass again before it begins: whatever was given up may be retried.
  await expect.poll(() => world.pay(0, 'sandbox_ok', key), { timeout: 20_000 }).toBe(201)
})

it('[B48] money that has moved is waited for, however long it takes to write down', async () => {
  const { world, atDesk, clock, beforeConfirming } = await openHouse({ people: 2 })
  let seatMap: Locked | undefined
  beforeConfirming(async () => {
    seatMap = await lockSeatMap(world.eventId)
  })
  const first = world.pay(0, 'sandbox_ok')
  await waitUntil('the first one has paid', () => atDesk.confirm === 1)
  await seatMap?.isWaitedFor()
  const again = world.hear()
  await waitUntil('the provider tells it once more', () => atDesk.confirm === 2)
  clock.nowMs += LONG_MS
  await seatMap?.release()
  expect(await first).toBe(201)
  await again
  expect(await world.account()).toEqual([])
})

interface House {
  readonly world: PaymentWorld
  /** How many came to the desk for what. */
  readonly atDesk: { start: number; confirm: number }
  readonly clock: { nowMs: number }
  /** Once, before the first payment is confirmed. */
  beforeConfirming(work: () => Promise<void>): void
}

/** Every buyer has reserved a seat. */
async function openHouse({ people, ...patience }: { people: number; patienceMs?: number }): Promise<House> {
  const atDesk = { start: 0, confirm: 0 }
  const clock = { nowMs: 0 }
  let before: (() => Promise<void>) | null = null
  const openDesk = (parts: Parameters<typeof createPaymentDesk>[0]): PaymentDesk => {
    const desk = createPaymentDesk({ ...parts, now: () => clock.nowMs, ...patience })
    return {
      ...desk,
      start(...order) {
        atDesk.start += 1
        return desk.start(...order)
      },
      async confirm(...order) {
        const work = before
        before = null
        await work?.()
        atDesk.confirm += 1
        return await desk.confirm(...order)
      },
    }
  }
  const world = await PaymentWorld.open(ledger, people, people, { openDesk })
  for (let who = 0; who < people; who += 1) await world.reserve(who, [who])
  const beforeConfirming: House['beforeConfirming'] = (work) => {
    before = work
  }
  return { world, atDesk, clock, beforeConfirming }
}

interface Locked {
  /** Until a query waits for the lock. */
  isWaitedFor(): Promise<unknown>
  release(): Promise<void>
}

/** Nothing can be asked of the ledger until they are released. */
async function takeAllConnections(): Promise<Pick<Locked, 'release'>> {
  const released = Promise.withResolvers<void>()
  let taken = 0
  const held = Array.from({ length: CONNECTIONS_MAX }, () =>
    ledger.db.connection().execute(async () => {
      taken += 1
      await released.promise
    }),
  )
  await waitUntil('no connection is left', () => taken === CONNECTIONS_MAX)
  return {
    async release() {
      released.resolve()
      await Promise.all(held)
    },
  }
}

async function lockSeatMap(eventId: string): Promise<Locked> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const transaction = ledger.db.transaction().execute(async (held) => {
    await query(held, 'select from seat_maps where event_id = $1 for update', [eventId])
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return {
    isWaitedFor: () =>
      waitUntil('a request waits for the seat map', async () => {
        const waiting = "datname = current_database() and wait_event_type = 'Lock'"
        return (await query(ledger.db, `select pid from pg_stat_activity where ${waiting}`)).length > 0
      }),
    async release() {
      released.resolve()
      await transaction
    },
  }
}
