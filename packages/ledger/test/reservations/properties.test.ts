import { type ClaimReply, expireReservations, type Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import {
  begin,
  capture,
  claimAll,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  openStalls,
  openStanding,
  type Sale,
  sell,
} from './sale-kit.ts'

/** Every run of the tests has other seeds, so that many short runs see as much as a long one. */
const RUNS = process.env.SEATWISE_LONG === '1' ? 200 : 40
const PATIENTLY = { timeout: 240_000 }
/** With one session at a time a large case shows nothing that a small one does not, and takes five times as long. */
const SIZES = {
  pglite: { seats: 2, batch: 2, batches: 2, rivals: 3 },
  postgres: { seats: 4, batch: 4, batches: 4, rivals: 5 },
}

forEachLedger('properties of selling', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const statuses = (replies: readonly ClaimReply[]): string[] => replies.map(({ status }) => status)
  const countOf = (replies: readonly ClaimReply[], status: string): number =>
    statuses(replies).filter((each) => each === status).length

  /** Attempts that come at once, in batches of these sizes, as from several servers. */
  const attempt = async (sale: Sale, batches: readonly number[]): Promise<ClaimReply[]> => {
    const replies = await Promise.all(
      batches.map((size) =>
        claimAll(
          sale,
          Array.from({ length: size }, () => claimOf(sale, 1)),
        ),
      ),
    )
    return replies.flat()
  }

  it(
    '[P6] N seats, M > N attempts at once: N succeed, the others are told; none remains, and then it is sold out',
    PATIENTLY,
    async () => {
      const { seats: seatsMax, batch, batches: batchesMax } = SIZES[ledger.kind]
      const sizes = fc.array(fc.integer({ min: 1, max: batch }), { minLength: 1, maxLength: batchesMax })
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: seatsMax }), sizes, async (seats, more) => {
          const batches = [seats, ...more]
          const attempts = batches.reduce((sum, size) => sum + size, 0)
          const sale = await openStanding(ledger, seats)
          const replies = await attempt(sale, batches)
          expect(countOf(replies, 'held')).toBe(seats)
          expect(countOf(replies, 'not_enough')).toBe(attempts - seats)
          expect(await countsInOrder(sale)).toEqual({ available: 0, held: seats, sold: 0, blocked: 0 })
          for (const reply of replies) {
            if (reply.status === 'held') await capture(sale, await begin(sale, reply.reservation.id))
          }
          const late = await attempt(sale, more)
          expect(countOf(late, 'sold_out')).toBe(late.length)
          expect(await countsInOrder(sale)).toEqual({ available: 0, held: 0, sold: seats, blocked: 0 })
        }),
        { numRuns: RUNS },
      )
    },
  )

  it(
    '[P8, B16] expiry by any number of servers at once: each overdue seat returns once, and nothing else does',
    PATIENTLY,
    async () => {
      const holds = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 3 }), isOverdue: fc.boolean() }), {
        minLength: 1,
        maxLength: 5,
      })
      const servers = fc.integer({ min: 1, max: SIZES[ledger.kind].rivals })
      await fc.assert(
        fc.asyncProperty(holds, servers, async (wanted, serverCount) => {
          const seats = wanted.reduce((sum, { quantity }) => sum + quantity, 0)
          const overdue = wanted.reduce((sum, { quantity, isOverdue }) => sum + (isOverdue ? quantity : 0), 0)
          const sale = await openStanding(ledger, seats)
          // One batch: a later one would sweep up what is overdue.
          const claims = wanted.map(({ quantity, isOverdue }) =>
            claimOf(sale, quantity, { holdSeconds: isOverdue ? 0 : 600 }),
          )
          await claimAll(sale, claims)
          const rounds = await Promise.all(
            Array.from({ length: serverCount }, () => expireReservations(ledger, sale.event.id)),
          )
          const returned = rounds.flatMap((round) => round?.changes ?? []).map(({ seatId }) => seatId)
          expect(returned).toHaveLength(overdue)
          expect(new Set(returned).size).toBe(overdue)
          const ended = rounds.flatMap((round) => round?.expired ?? []).map(({ reservationId }) => reservationId)
          expect(ended.sort()).toEqual(
            claims
              .filter(({ holdSeconds }) => holdSeconds === 0)
              .map(({ reservationId }) => reservationId)
              .sort(),
          )
          expect(await countsInOrder(sale)).toEqual({ available: overdue, held: seats - overdue, sold: 0, blocked: 0 })
        }),
        { numRuns: RUNS },
      )
    },
  )

  it(
    '[P9] the last seat goes to one of those who want it, numbered or not, and to no claim after that',
    PATIENTLY,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: Math.min(3, SIZES[ledger.kind].seats) }),
          fc.integer({ min: 2, max: SIZES[ledger.kind].rivals }),
          fc.boolean(),
          async (...drawn) => {
            const [seats, rivals, isNumbered] = drawn
            const sale = isNumbered ? await openStalls(ledger, 1, seats) : await openStanding(ledger, seats)
            const wish = (index: number) => (isNumbered ? { seatIds: [sale.seats[index]?.id ?? ''] } : 1)
            for (let index = 1; index < seats; index += 1) await sell(sale, wish(index))
            const replies = await Promise.all(
              Array.from({ length: rivals }, () => claimOne(sale, claimOf(sale, wish(0)))),
            )
            expect(countOf(replies, 'held')).toBe(1)
            expect(countOf(replies, isNumbered ? 'taken' : 'not_enough')).toBe(rivals - 1)
            const winner = replies.find((reply) => reply.status === 'held')
            if (winner?.status !== 'held') throw new Error('no claim won')
            await capture(sale, await begin(sale, winner.reservation.id))
            expect(await claimOne(sale, claimOf(sale, wish(0)))).toEqual({ status: 'sold_out' })
            expect(await countsInOrder(sale)).toEqual({ available: 0, held: 0, sold: seats, blocked: 0 })
          },
        ),
        { numRuns: RUNS },
      )
    },
  )

  it('[B8] whatever is taken and given back, every free unnumbered seat is found again', PATIENTLY, async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('hold' as const), quantity: fc.integer({ min: 1, max: 3 }), over: fc.boolean() }),
      fc.record({ do: fc.constant('expire' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const sale = await openStanding(ledger, 6)
        for (const each of steps) {
          if (each.do === 'expire') await expireReservations(ledger, sale.event.id)
          else await claimOne(sale, claimOf(sale, each.quantity, { holdSeconds: each.over ? 0 : 600 }))
        }
        await expireReservations(ledger, sale.event.id)
        const { available } = await countsInOrder(sale)
        if (available > 0) await hold(sale, available)
        expect(await countsInOrder(sale)).toMatchObject({ available: 0, held: 6 })
      }),
      { numRuns: ledger.kind === 'pglite' ? RUNS / 4 : RUNS },
    )
  })
})
