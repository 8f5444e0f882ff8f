import { expect, test } from 'vitest'
import { OUTSIDE_FROM, outsideNumber, type TakeReply } from '../../src/index.ts'
import { letIn, type OpenRoom, type TestRoom } from './test-room.ts'

/** Sales outside the line, which have no ticket: what they leave to those who have one. */
export function doorRules(openRoom: OpenRoom): void {
  test('[B166] a sale at the door leaves what visitors on the floor took or are promised', async () => {
    const room = await openRoom({ state: { stock: 5, heldSeats: 0 } })
    const ada = await letIn(room, 'ada')
    await letIn(room, 'bob')
    const seq = await room.seq()
    expect(await sell(room, 4)).toEqual({ status: 'not_enough', available: 3, seq })
    expect(await sell(room, 2, 'first')).toEqual({ status: 'taken', seq })
    expect(await room.now()).toMatchObject({ stock: 5, taken: 2, promised: 2 })
    expect(await sell(room, 2, 'second')).toMatchObject({ status: 'not_enough', available: 1 })
    // The visitors still have theirs, and no more than one each.
    expect(await room.take(ada, 3)).toMatchObject({ status: 'not_enough', available: 2 })
    expect(await room.take(ada, 2)).toMatchObject({ status: 'taken' })
    expect(await sell(room, 1, 'third')).toMatchObject({ status: 'not_enough', available: 0 })
  })

  test('[B166] the last promised seat is refused; sold out only when nothing is held either', async () => {
    const room = await openRoom({ state: { stock: 1, heldSeats: 0 } })
    await letIn(room, 'ada')
    expect(await sell(room, 1)).toMatchObject({ status: 'not_enough', available: 0 })
    await room.settle({ stock: 0, heldSeats: 1 })
    expect(await sell(room, 1)).toMatchObject({ status: 'not_enough', available: 0 })
    await room.settle({ stock: 0, heldSeats: 0 })
    expect(await sell(room, 1)).toMatchObject({ status: 'sold_out' })
  })

  test('[B166] admission promises no seat that is being sold at the door', async () => {
    const room = await openRoom({ state: { stock: 2, heldSeats: 0 } })
    await room.crowd(2)
    await sell(room, 1, 'cash')
    expect(await room.admitted()).toHaveLength(1)
    await room.settle({ stock: 1, heldSeats: 0, results: [{ operation: 'cash', number: outsideNumber('cash') }] })
    expect(await room.admitted()).toHaveLength(0)
    expect(await room.now()).toMatchObject({ stock: 1, taken: 0, promised: 1 })
  })

  test('[B166] a sale that asks again is counted once, and what is settled is counted no more', async () => {
    const room = await openRoom({ state: { stock: 3, heldSeats: 0 } })
    await sell(room, 2, 'cash')
    expect(await sell(room, 2, 'cash')).toMatchObject({ status: 'taken' })
    expect((await room.now()).taken).toBe(2)
    const results = [{ operation: 'cash', number: outsideNumber('cash') }]
    await room.settle({ stock: 1, heldSeats: 0, results })
    expect(await room.now()).toMatchObject({ stock: 1, taken: 0 })
  })

  test('[B167] a sale of which nothing is heard any more returns after 15 s', async () => {
    const room = await openRoom({ state: { stock: 2, heldSeats: 0 } })
    await sell(room, 2, 'lost')
    await room.draw('waiting')
    await room.advance(14_999)
    expect(await room.admitted()).toEqual([])
    expect(await sell(room, 1)).toMatchObject({ status: 'not_enough', available: 0 })
    await room.advance(1)
    expect(await sell(room, 1)).toMatchObject({ status: 'taken' })
    expect((await room.now()).taken).toBe(1)
  })

  test('[B166] two sales never share a number: the second waits', async () => {
    const room = await openRoom({ state: { stock: 9, heldSeats: 0 } })
    const number = OUTSIDE_FROM + 7
    const ask = (operation: string) => room.line.take(room.at, [{ number, fence: 0, quantity: 1, operation }])
    expect(await ask('one')).toMatchObject([{ status: 'taken' }])
    expect(await ask('other')).toMatchObject([{ status: 'busy' }])
    expect((await room.now()).taken).toBe(1)
  })

  test('[B166] without stock awareness a sale at the door is left to the ledger', async () => {
    const room = await openRoom({ state: { stock: 1 }, settings: { stockAware: false } })
    await letIn(room, 'ada')
    expect(await sell(room, 6)).toMatchObject({ status: 'taken' })
  })
}

async function sell(room: TestRoom, quantity: number, operation: string = room.operation()): Promise<TakeReply> {
  const sale = { number: outsideNumber(operation), fence: 0, quantity, operation }
  const [reply] = await room.line.take(room.at, [sale])
  if (reply === undefined) throw new Error('The gate answers every sale')
  return reply
}
