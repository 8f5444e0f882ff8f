import { numbersIn } from '@seatwise/domain'
import { expect, test } from 'vitest'
import { TAKES_MAX } from '../../src/index.ts'
import { letIn, loadedTicket, type OpenRoom } from './test-room.ts'

/** Claims on their way to the ledger, and what it says of them. */
export function gateRules(openRoom: OpenRoom): void {
  test('[M21] [B11] a claim leaves one seat for every other ticket on the floor', async () => {
    const room = await openRoom({ state: { stock: 5, heldSeats: 2 } })
    const [ada, bob, eve] = [await letIn(room, 'ada'), await letIn(room, 'bob'), await letIn(room, 'eve')]
    expect(await room.take(ada, 4)).toEqual({ status: 'not_enough', available: 3, seq: eve.seq })
    expect(await room.take(ada, 3)).toEqual({ status: 'taken', seq: eve.seq })
    expect(await room.take(bob, 2)).toMatchObject({ status: 'not_enough', available: 1 })
    expect(await room.take(bob, 1)).toMatchObject({ status: 'taken' })
    expect(await room.take(eve, 1)).toMatchObject({ status: 'taken' })
    expect(await room.now()).toMatchObject({ stock: 5, taken: 5, promised: 0 })
  })

  test('[M21] [B10] a claim beyond what is left is sold out only when nothing is held', async () => {
    const room = await openRoom({ state: { stock: 3, heldSeats: 1 } })
    const ada = await letIn(room, 'ada')
    await room.settle({ stock: 0, heldSeats: 4 })
    expect(await room.take(ada, 1)).toMatchObject({ status: 'not_enough', available: 0 })
    await room.settle({ stock: 0, heldSeats: 0 })
    expect(await room.take(ada, 1)).toEqual({ status: 'sold_out', seq: await room.seq() })
    expect((await room.now()).taken).toBe(0)
  })

  test('[M21] [B11] a promise is kept while an earlier claim is counted twice', async () => {
    const room = await openRoom({ state: { stock: 4, heldSeats: 0, stockVersion: 1 } })
    const [ada, bob, eve] = [await letIn(room, 'ada'), await letIn(room, 'bob'), await letIn(room, 'eve')]
    await room.take(ada, 2, 'first')
    await room.take(bob, 1, 'second')
    // Both are committed, ada's first; the word on bob's comes first.
    const second = { ...reserved(bob, 1, bob.now + 900_000), operation: 'second' }
    await room.settle({ version: 3, stock: 1, heldSeats: 3, results: [second] })
    expect(await room.now()).toMatchObject({ stock: 1, taken: 2, promised: 1 })
    expect(await room.take(eve, 2)).toMatchObject({ status: 'not_enough', available: 1 })
    expect(await room.take(eve, 1)).toMatchObject({ status: 'taken' })
  })

  test('[M21] only a valid pass takes', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const [ada, bob] = [await letIn(room, 'ada'), await letIn(room, 'bob')]
    const waiting = await room.draw('waiting')
    expect(await room.take(waiting, 1)).toMatchObject({ status: 'stale' })
    const old = { number: ada.number, fence: ada.fence ?? 0, quantity: 1, operation: 'old' }
    await room.move(ada)
    expect(await room.line.take(room.at, [old])).toMatchObject([{ status: 'stale' }])
    expect(await room.take({ ...ada, generation: 2 }, 1)).toMatchObject({ status: 'taken' })
    const bobs = { number: bob.number, fence: bob.fence ?? 0, quantity: 1 }
    expect(await room.line.take(room.at, [{ ...bobs, identity: 'ada', operation: 'stolen' }])).toMatchObject([
      { status: 'stale' },
    ])
    expect(await room.line.take(room.at, [{ ...bobs, identity: 'bob', operation: 'own' }])).toMatchObject([
      { status: 'taken' },
    ])
    await room.advance(60_000)
    const late = { number: bob.number, fence: bob.fence ?? 0, quantity: 1, operation: 'late' }
    expect(await room.line.take(room.at, [late])).toMatchObject([{ status: 'stale' }])
  })

  for (const { name, state, settings } of [
    { name: 'without stock', state: { stock: null }, settings: {} },
    { name: 'without stock awareness', state: { stock: 1 }, settings: { stockAware: false } },
  ]) {
    test(`[M21] ${name} every valid pass takes`, async () => {
      const room = await openRoom({ state, settings })
      for (const name of ['ada', 'bob', 'eve']) {
        expect(await room.take(await letIn(room, name), 6)).toMatchObject({ status: 'taken' })
      }
    })
  }

  test('[M21] [M22] what a ticket has counts for it, and so much it may always have', async () => {
    const room = await openRoom({ state: { stock: 4 } })
    const [ada, bob] = [await letIn(room, 'ada'), await letIn(room, 'bob')]
    await room.settle({ stock: 1, results: [reserved(ada, 3, ada.now + 900_000)] })
    expect(await room.take(ada, 4)).toMatchObject({ status: 'not_enough', available: 3 })
    expect(await room.take(ada, 3, 'others')).toMatchObject({ status: 'taken' })
    expect(await room.now()).toMatchObject({ taken: 0, promised: 1 })
    // An operator blocks the last seat: those who have some may still choose others.
    await room.settle({ stock: 0, heldSeats: 3, results: [{ operation: 'others', number: ada.number }] })
    expect(await room.take(ada, 2)).toMatchObject({ status: 'taken' })
    expect(await room.take(bob, 1)).toMatchObject({ status: 'not_enough', available: 0 })
  })

  test('[M21] [M22] the same operation is taken once, and judged anew when it asks for more', async () => {
    const room = await openRoom({ state: { stock: 3 } })
    const ada = await letIn(room, 'ada')
    await letIn(room, 'bob')
    expect(await room.take(ada, 1, 'one')).toMatchObject({ status: 'taken' })
    expect(await room.take(ada, 1, 'one')).toMatchObject({ status: 'taken' })
    expect(await room.take(ada, 3, 'one')).toMatchObject({ status: 'not_enough', available: 2 })
    expect(await room.now()).toMatchObject({ taken: 1, promised: 1 })
    expect(await room.take(ada, 2, 'one')).toMatchObject({ status: 'taken' })
    expect((await room.now()).taken).toBe(2)
  })

  test('[M22] several claims of one ticket cost the largest, beyond the least that it may have by then', async () => {
    const room = await openRoom({ state: { stock: 5 } })
    const ada = await letIn(room, 'ada')
    await room.take(ada, 2, 'two')
    await room.take(ada, 4, 'four')
    await room.take(ada, 3, 'three')
    expect((await room.now()).taken).toBe(4)
    await room.settle({
      stock: 3,
      heldSeats: 2,
      results: [{ ...reserved(ada, 2, ada.now + 900_000), operation: 'two' }],
    })
    expect(await room.now()).toMatchObject({ taken: 2, promised: 0 })
    await room.settle({
      stock: 5,
      heldSeats: 0,
      results: [{ operation: 'cancel', number: ada.number, reserved: null }],
    })
    expect((await room.now()).taken).toBe(4)
    await room.settle({ results: [{ operation: 'four', number: ada.number }] })
    expect((await room.now()).taken).toBe(3)
    await room.settle({ results: [{ operation: 'three', number: ada.number }] })
    expect(await room.now()).toMatchObject({ taken: 0, promised: 1 })
  })

  test('[M22] seats that a claim may have given back already do not count as the ticket’s', async () => {
    const room = await openRoom({ state: { stock: 4 } })
    const ada = await letIn(room, 'ada')
    await room.settle({ stock: 1, heldSeats: 3, results: [reserved(ada, 3, ada.now + 900_000)] })
    await room.take(ada, 1, 'fewer')
    expect((await room.now()).taken).toBe(0)
    // The ledger has committed it, and the counts arrive before it is settled.
    await room.settle({ stock: 3, heldSeats: 1 })
    expect(await room.take(ada, 3, 'as many as before')).toMatchObject({ status: 'taken' })
    expect((await room.now()).taken).toBe(2)
    expect(await room.take(ada, 5, 'more')).toEqual({ status: 'busy', seq: await room.seq() })
  })

  test('[M22] claims of a ticket that left cost everything until they are settled', async () => {
    const room = await openRoom({ state: { stock: 5 } })
    const ada = await letIn(room, 'ada')
    await room.settle({ stock: 3, heldSeats: 2, results: [reserved(ada, 2, ada.now + 900_000)] })
    await room.take(ada, 3, 'claim')
    expect((await room.now()).taken).toBe(1)
    await room.end(ada, 'cancelled')
    expect(await room.now()).toMatchObject({ taken: 3, promised: 0 })
    const reply = await room.settle({
      stock: 2,
      results: [{ ...reserved(ada, 3, ada.now + 900_000), operation: 'claim' }],
    })
    expect(reply.left).toEqual([ada.number])
    expect((await room.now()).taken).toBe(0)
  })

  test('[M22] no ticket has more claims under way than the bound', async () => {
    const room = await openRoom({ state: { stock: 5 } })
    const ada = await letIn(room, 'ada')
    for (let index = 0; index < TAKES_MAX; index++) {
      expect(await room.take(ada, 1, `claim-${index}`)).toMatchObject({ status: 'taken' })
    }
    expect(await room.take(ada, 1, 'one more')).toEqual({ status: 'busy', seq: ada.seq })
    expect(await room.take(ada, 1, 'claim-0')).toMatchObject({ status: 'taken' })
  })

  test('[M23] [B12] a take that is not settled returns after 15 s, and not before', async () => {
    const room = await openRoom({ state: { stock: 4 } })
    const [ada, bob] = [await letIn(room, 'ada'), await letIn(room, 'bob')]
    await room.take(ada, 3, 'lost')
    await room.draw('waiting')
    expect(await room.admit()).toMatchObject({ admitted: [], nextAt: ada.now + 15_000, unreserved: 2 })
    await room.advance(14_999)
    expect(await room.take(bob, 2)).toMatchObject({ status: 'not_enough', available: 1 })
    await room.advance(1)
    expect((await room.admitted()).length).toBe(1)
    expect(await room.now()).toMatchObject({ taken: 0, promised: 3 })
  })

  test('[M23] [B12] the next claim finds them returned, too', async () => {
    const room = await openRoom({ state: { stock: 4 } })
    const [ada, bob] = [await letIn(room, 'ada'), await letIn(room, 'bob')]
    await room.take(ada, 3, 'lost')
    await room.advance(15_000)
    expect(await room.take(bob, 3)).toMatchObject({ status: 'taken' })
  })

  test('[M23] a ticket with an overdue take takes anew in the step that returns it', async () => {
    const room = await openRoom({ state: { stock: 4 } })
    const ada = await letIn(room, 'ada')
    await room.take(ada, 0, 'lost')
    expect(await room.now()).toMatchObject({ taken: 0, promised: 1 })
    await room.advance(15_000)
    expect(await room.take(ada, 1)).toMatchObject({ status: 'taken' })
    expect(await room.now()).toMatchObject({ taken: 1, promised: 0 })
  })

  test('[M23] the same operation takes once, and counts from the last time', async () => {
    const room = await openRoom({ state: { stock: 3 } })
    const ada = await letIn(room, 'ada')
    await room.take(ada, 3, 'claim')
    await room.advance(10_000)
    // Blocked by the operator; the first answer stands.
    await room.settle({ stock: 0, heldSeats: 1 })
    expect(await room.take(ada, 3, 'claim')).toMatchObject({ status: 'taken' })
    expect((await room.now()).taken).toBe(3)
    await room.advance(14_999)
    await room.admit()
    expect((await room.now()).taken).toBe(3)
    await room.advance(1)
    await room.admit()
    expect((await room.now()).taken).toBe(0)
  })

  test('[M23] returned takes count against the batch of an admission', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const [ada, bob, eve] = [await letIn(room, 'ada'), await letIn(room, 'bob'), await letIn(room, 'eve')]
    for (const ticket of [ada, bob, eve]) await room.take(ticket, 2)
    await room.advance(15_000)
    expect(await room.admit(2)).toMatchObject({ more: true })
    expect((await room.now()).taken).toBe(2)
    expect(await room.admit(2)).toMatchObject({ more: false })
    expect((await room.now()).taken).toBe(0)
  })

  test('[M3] [M21] admission leaves what claims may cost, and what is promised', async () => {
    const room = await openRoom({ state: { stock: 6 } })
    const ada = await letIn(room, 'ada')
    await letIn(room, 'bob')
    await room.crowd(5)
    await room.take(ada, 3)
    expect(await room.admit()).toMatchObject({ admitted: { length: 2 }, floor: 4, unreserved: 4 })
    expect(await room.now()).toMatchObject({ taken: 3, promised: 3 })
  })

  test('[M24] [B13] older news never replaces newer, also about one ticket', async () => {
    const room = await openRoom({ state: { stock: 9, stockVersion: 20 } })
    const ada = await letIn(room, 'ada')
    const until = ada.now + 900_000
    const lost = { operation: 'cancel', number: ada.number, reserved: null }
    await room.settle({ version: 22, stock: 7, heldSeats: 0, results: [lost] })
    await room.settle({ version: 21, stock: 8, heldSeats: 1, results: [reserved(ada, 1, until)] })
    await room.settle({ version: 20, stock: 1, heldSeats: 8 })
    expect(await room.now()).toMatchObject({ stock: 7, heldSeats: 0, stockVersion: 22 })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 0, deadline: ada.deadline }])
  })

  test('[M24] more time for the same seats counts within one version, less does not', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const ada = await letIn(room, 'ada')
    const until = ada.now + 900_000
    await room.settle({ version: 5, results: [reserved(ada, 2, until)] })
    await room.settle({ version: 5, results: [reserved(ada, 2, until + 60_000)] })
    await room.settle({ version: 5, results: [reserved(ada, 2, until)] })
    await room.settle({ version: 5, results: [reserved(ada, 3, until + 90_000)] })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 2, deadline: until + 60_000 }])
  })

  test('[M24] settling again changes nothing', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const ada = await letIn(room, 'ada')
    await room.take(ada, 2, 'first')
    const until = ada.now + 900_000
    const first = { ...reserved(ada, 2, until), operation: 'first' }
    const second = { ...reserved(ada, 1, until), operation: 'second' }
    const settlement = { version: 5, stock: 8, heldSeats: 1, results: [first, second] }
    const reply = await room.settle(settlement)
    expect(await room.settle(settlement)).toEqual(reply)
    expect(await room.floor()).toMatchObject([{ reservedSeats: 1, deadline: until }])
    expect((await room.log(ada.seq)).map(({ operation, change }) => ({ operation, ...change }))).toEqual([
      { operation: 'seats-5', kind: 'reserved', numbers: [ada.number], deadline: until, quantity: 1 },
      { operation: 'seats-5', kind: 'changed', by: 'seats', stock: 8 },
    ])
  })

  test('[M24] a claim that failed leaves what its ticket had', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const ada = await letIn(room, 'ada')
    await room.reserve(ada, ada.now + 900_000, 2)
    await room.take(ada, 4, 'other seats')
    await room.settle({ results: [{ operation: 'other seats', number: ada.number }] })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 2, deadline: ada.now + 900_000 }])
    expect(await room.now()).toMatchObject({ taken: 0, promised: 0 })
  })

  test('[M24] [R28] results older than the load are ignored for a ticket admitted after it', async () => {
    const room = await openRoom({
      state: { nextNumber: 8, marks: { 1: 6 }, stockVersion: 41 },
      tickets: [loadedTicket(5)],
    })
    await room.restore({ ...loadedTicket(7), epoch: 1 })
    expect(await room.admitted()).toEqual([5, 7])
    const { now } = await room.now()
    // Told late: the ticket was let in and had seats, the log lost both, and by now they are given back.
    const late = [reserved({ number: 5 }, 2, now), reserved({ number: 7 }, 1, now)]
    const seq = await room.seq()
    expect(await room.settle({ version: 41, results: late })).toEqual({ seq, left: [] })
    expect(await room.settle({ version: 40, results: late })).toEqual({ seq, left: [] })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 0 }, { reservedSeats: 0 }])
    await room.settle({ version: 42, results: [reserved({ number: 5 }, 2, now + 900_000)] })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 0 }, { number: 5, reservedSeats: 2 }])
  })

  test('[M24] many results are told at once', async () => {
    const room = await openRoom({ state: { stock: 1_200 }, settings: { capacity: 1_200 } })
    const crowd = await room.crowd(1_200)
    for (let batch = await room.admit(); batch.more; ) batch = await room.admit()
    const takes = crowd.map(({ number }) => ({ number, fence: 0, quantity: 0, operation: 'give' }))
    expect((await room.line.take(room.at, takes)).every(({ status }) => status === 'taken')).toBe(true)
    const until = (await room.now()).now + 900_000
    const results = crowd.map((ticket) => ({ ...reserved(ticket, 1, until), operation: 'give' }))
    const before = await room.seq()
    expect(await room.settle({ stock: 0, heldSeats: 1_200, results })).toEqual({ left: [], seq: await room.seq() })
    expect(await room.now()).toMatchObject({ taken: 0, promised: 0, stock: 0 })
    const told = (await room.log(before)).filter(({ change }) => change.kind === 'reserved')
    expect(told.flatMap(({ change }) => numbersIn(change))).toEqual(crowd.map(({ number }) => number))
    expect(told.length).toBeLessThanOrEqual(3)
  })

  test('[M24] [L18] consecutive tickets with the same deadline and quantity share one log entry', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const [ada, bob, eve] = [await letIn(room, 'ada'), await letIn(room, 'bob'), await letIn(room, 'eve')]
    const until = eve.now + 900_000
    const results = [reserved(ada, 1, until), reserved(bob, 1, until), reserved(eve, 2, until)]
    const { seq } = await room.settle({ version: 6, stock: 5, heldSeats: 4, results })
    const lost = [bob, ada].map(({ number }) => ({ operation: 'cancel', number, reserved: null }))
    await room.settle({ version: 7, stock: 7, heldSeats: 2, results: lost })
    expect((await room.log(eve.seq)).map(({ change }) => change)).toEqual([
      { kind: 'reserved', numbers: [ada.number, bob.number], deadline: until, quantity: 1 },
      { kind: 'reserved', numbers: [eve.number], deadline: until, quantity: 2 },
      { kind: 'changed', by: 'seats', stock: 5 },
      { kind: 'reserved', numbers: [bob.number, ada.number], deadline: null, quantity: 0 },
      { kind: 'changed', by: 'seats', stock: 7 },
    ])
    expect(seq).toBe(eve.seq + 3)
  })

  test('[M25] a ticket that gives seats back is promised one before the seats are back', async () => {
    const room = await openRoom({ state: { stock: 2 } })
    const ada = await letIn(room, 'ada')
    await room.settle({ stock: 0, heldSeats: 2, results: [reserved(ada, 2, ada.now + 900_000)] })
    await room.draw('waiting')
    const giving = { number: ada.number, fence: -1, quantity: 0, operation: 'give' }
    expect(await room.line.take(room.at, [giving])).toMatchObject([{ status: 'taken' }])
    expect(await room.now()).toMatchObject({ taken: 0, promised: 1 })
    // A later settlement of another ticket arrives first, and promises only what is left.
    await room.settle({ version: 12, stock: 1, heldSeats: 1 })
    expect(await room.admitted()).toEqual([])
    await room.settle({ version: 11, stock: 2, results: [{ operation: 'give', number: ada.number, reserved: null }] })
    expect(await room.take(ada, 1)).toMatchObject({ status: 'taken' })
  })

  test('[M26] [B14] the log tells the stock, and when the room is sold out and no longer', async () => {
    const room = await openRoom({ state: { stock: 2, heldSeats: 0 } })
    const seq = await room.seq()
    await room.settle({ version: 5, stock: 0, heldSeats: 2 })
    await room.settle({ version: 6, stock: 0, heldSeats: 1 })
    expect(await room.now()).toMatchObject({ soldOut: false, stock: 0, heldSeats: 1, stockVersion: 6 })
    await room.settle({ version: 7, stock: 0, heldSeats: 0 })
    expect(await room.now()).toMatchObject({ soldOut: true })
    await room.settle({ version: 8, stock: 1, heldSeats: 0 })
    expect(await room.now()).toMatchObject({ soldOut: false })
    const changed = { kind: 'changed', by: 'seats' }
    expect((await room.log(seq)).map(({ operation, change }) => ({ operation, ...change }))).toEqual([
      { operation: 'seats-5', ...changed, stock: 0 },
      { operation: 'seats-7', ...changed, stock: 0, soldOut: true },
      { operation: 'seats-8', ...changed, stock: 1, soldOut: false },
    ])
  })
}

function reserved({ number }: { number: number }, quantity: number, until: number) {
  return { operation: 'claim', number, reserved: { until, quantity } }
}
