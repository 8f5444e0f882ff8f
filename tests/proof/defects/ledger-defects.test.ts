import { randomUUID } from 'node:crypto'
import { formatReport, isSound } from '@seatwise/checker'
import { describe, expect, test } from 'vitest'
import { Counter } from './counter.ts'
import { type SqlPatch, withSqlDefect } from './patch-sql.ts'

interface Defect {
  readonly name: string
  readonly invariant: string
  readonly patches: readonly SqlPatch[]
  /** What the database would not let happen even then. */
  readonly unguarded?: readonly string[]
  readonly story: (counter: Counter) => Promise<void>
}

const STATUS_OF_SEATS = `select id, seat_type_id as "seatTypeId", status, reservation_id`
const EVERYTHING_FREE = `select id, seat_type_id as "seatTypeId", 'available' as status, reservation_id`
const PENDING_ONLY = ` and status = 'PENDING_PAYMENT'\nreturning`

/** One mistake each, as a developer could make it, and a story in which it matters. */
const DEFECTS: readonly Defect[] = [
  {
    ...{ name: 'late money takes a seat that is sold', invariant: 'I1' },
    patches: [{ from: STATUS_OF_SEATS, to: EVERYTHING_FREE }],
    unguarded: ['drop index reservation_items_sold_once'],
    async story(counter) {
      const late = counter.buyer()
      const purchase = await counter.startToPay(late, await counter.reserve(late, 0))
      await counter.wait(1_000)
      await counter.sweep()
      await counter.buy(counter.buyer(), 0)
      await counter.capture(purchase)
    },
  },
  {
    ...{ name: 'returned seats are counted twice', invariant: 'I3' },
    patches: [{ from: 'available = $5::int', to: 'available = $5::int + 1' }],
    async story(counter) {
      const buyer = counter.buyer()
      await counter.cancel(buyer, await counter.reserve(buyer, 0))
    },
  },
  {
    ...{ name: 'a seat is held without looking whether it is free', invariant: 'I4' },
    patches: [{ from: STATUS_OF_SEATS, to: EVERYTHING_FREE }],
    async story(counter) {
      await counter.reserve(counter.buyer(), 0)
      await counter.reserve(counter.buyer(), 0)
    },
  },
  {
    ...{ name: 'an older pass of the same ticket claims', invariant: 'I5' },
    patches: [{ from: 'select max(fence) as fence, coalesce', to: 'select null::bigint as fence, coalesce' }],
    async story(counter) {
      const buyer = counter.buyer()
      await counter.reserve(buyer, 0, { fence: 9 })
      await counter.reserve(buyer, 1, { fence: 4 })
    },
  },
  {
    ...{ name: 'a hold that has expired is released again', invariant: 'I6' },
    patches: [
      { from: `\n where status = 'PENDING_PAYMENT'\n   and (id = any`, to: '\n where (id = any' },
      { from: PENDING_ONLY, to: '\nreturning' },
    ],
    async story(counter) {
      const buyer = counter.buyer()
      const reservation = await counter.reserve(buyer, 0)
      await counter.wait(1_000)
      await counter.sweep()
      await counter.cancel(buyer, reservation)
    },
  },
  {
    ...{ name: 'holds expire by a clock that is ahead', invariant: 'I7' },
    patches: [
      {
        from: `expires_at <= current_setting('seatwise.at')::timestamptz\n`,
        to: `expires_at <= current_setting('seatwise.at')::timestamptz + interval '1 hour'\n`,
      },
    ],
    async story(counter) {
      await counter.reserve(counter.buyer(), 0)
      await counter.sweep()
    },
  },
  {
    ...{ name: 'late money is not sent back', invariant: 'I9' },
    patches: [{ from: 'set status = $2, captured', to: `set status = replace($2, 'REFUNDING', 'DECLINED'), captured` }],
    async story(counter) {
      const late = counter.buyer()
      const purchase = await counter.startToPay(late, await counter.reserve(late, 0))
      await counter.wait(1_000)
      await counter.sweep()
      await counter.buy(counter.buyer(), 0)
      await counter.buy(counter.buyer(), 1)
      await counter.capture(purchase)
    },
  },
  {
    ...{ name: 'seats are sold before the money is there', invariant: 'I10' },
    patches: [
      { from: 'captured = coalesce($3::bigint, captured)', to: 'captured = 0 * coalesce($3::bigint, captured)' },
    ],
    unguarded: ['alter table purchases drop constraint purchases_paid'],
    story: async (counter) => await counter.buy(counter.buyer(), 0),
  },
  {
    ...{ name: 'the key of an operation is not looked up', invariant: 'I11' },
    patches: [{ from: 'where key = claim.key', to: 'where false and key = claim.key' }],
    unguarded: ['alter table operations drop constraint operations_pkey cascade'],
    async story(counter) {
      const buyer = counter.buyer()
      const key = randomUUID()
      await counter.reserve(buyer, 0, { key })
      await counter.reserve(buyer, 1, { key })
    },
  },
  {
    ...{ name: 'news counts as delivered before it is sent', invariant: 'I23' },
    patches: [{ from: 'set attempts = attempts + 1, due_at', to: 'set delivered_at = now(), due_at' }],
    async story(counter) {
      await counter.buy(counter.buyer(), 0)
      await counter.sendNews()
    },
  },
]

describe('defects of the ledger', () => {
  test.each(DEFECTS)(
    '[V14] $invariant notices that $name',
    async ({ invariant, patches, unguarded = [], story }) => {
      const sound = await Counter.visit(unguarded, story)
      expect(isSound(sound), formatReport(sound)).toBe(true)
      const broken = await withSqlDefect(patches, () => Counter.visit(unguarded, story))
      const judged = broken.invariants.find(({ id }) => id === invariant)
      expect(judged?.verdict.status, formatReport(broken)).toBe('violated')
    },
    60_000,
  )
})
