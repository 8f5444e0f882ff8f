import { expectFields, type HouseSale, shape, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { joinLine, type Place, resumePlace } from '../../src/index.ts'
import { memoryStorage } from '../support/memory-storage.ts'
import { theHouse } from '../support/the-house.ts'
import { VirtualTime } from '../support/virtual-time.ts'

let sale: HouseSale
beforeAll(async () => {
  sale = await theHouse().openSale(
    { capacity: 100, ratePerMinute: 100_000, burst: 100, maxSeatsPerBuyer: 10 },
    { totalSeats: undefined, seatTypes: [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 50 }] },
  )
})

const open: Place[] = []
afterEach(() => {
  for (const place of open.splice(0)) place.close()
})

async function enter() {
  const time = new VirtualTime()
  const storage = memoryStorage()
  const options = {
    url: theHouse().url,
    eventId: sale.eventId,
    push: 'off',
    storage,
    environment: time.environment(),
  } as const
  const place = await joinLine(options)
  open.push(place)
  await waitUntil('it is our turn', async () => (await place.refresh()).status === 'admitted')
  await place.claim()
  return { time, place, options }
}

/** Lets time pass until the promise is decided: what is repeated is repeated at growing distances. */
async function inTime<Result>(time: VirtualTime, result: Promise<Result>): Promise<Result> {
  let isDecided = false
  const decided = () => {
    isDecided = true
  }
  result.then(decided, decided)
  await waitUntil('it is decided', async () => {
    if (!isDecided) await time.advance(1_000)
    return isDecided
  })
  return await result
}

async function seatsLeft(): Promise<number> {
  const answer = await fetch(`${theHouse().url}/api/events/${sale.eventId}/seats`, { headers: { connection: 'close' } })
  const seat = shape.fields({ status: shape.text })
  const { seats } = expectFields(await answer.json(), { seats: shape.listOf(seat) })
  return seats.filter(({ status }) => status === 'available').length
}

it('[K23] seats are taken once, though the answer is lost, the question is lost, and all of it again', async () => {
  const { time, place } = await enter()
  const before = await seatsLeft()
  const fates: ('question' | 'answer' | undefined)[] = ['question', 'answer', 'question']
  time.lose = (path) => {
    if (!/reservations$|operations/.test(path)) return undefined
    const fate = fates.shift()
    if (fate === 'question') throw new TypeError('It never arrived')
    return fate
  }
  const reservation = await inTime(time, place.reserve({ seatTypeId: sale.seatTypeId, quantity: 2 }))
  expect(fates).toEqual([])
  expect(reservation).toMatchObject({ status: 'PENDING_PAYMENT', amount: 9_000 })
  await waitUntil('the seat map knows', async () => (await seatsLeft()) === before - 2)
  expect(place.state).toMatchObject({ status: 'active', reservation: { id: reservation.id } })
})

it('[K23] a visitor who reloads before the answer came gets that very reservation', async () => {
  const { time, place, options } = await enter()
  const wish = { seatTypeId: sale.seatTypeId, quantity: 1 }
  // Every answer from now on is lost.
  time.lose = (path) => (/reservations$|operations/.test(path) ? 'answer' : undefined)
  const lost = place.reserve(wish)
  lost.catch(() => undefined)
  await time.advance(3_000)
  place.close()
  await time.advance(300_000)
  await expect(lost).rejects.toMatchObject({ code: 'UNREACHABLE' })

  time.lose = () => undefined
  const found = await resumePlace(options)
  if (found === null) throw new Error('The place must be there')
  open.push(found)
  const known = found.state.status === 'active' ? found.state.reservation : null
  const reservation = await inTime(time, found.reserve(wish))
  expect(reservation.id).toBe(known?.id)
  // Known now: the same wish again is another reservation, which takes the place of the first.
  const another = await inTime(time, found.reserve(wish))
  expect(another.id).not.toBe(reservation.id)
})

it('[K23] a refusal is told as it is, and the next try is a new one', async () => {
  const { time, place } = await enter()
  await expect(inTime(time, place.reserve({ seatTypeId: sale.seatTypeId, quantity: 11 }))).rejects.toMatchObject({
    ...{ code: 'LIMIT_REACHED', status: 409 },
  })
  const reservation = await inTime(time, place.reserve({ seatTypeId: sale.seatTypeId, quantity: 1 }))
  await expect(inTime(time, place.pay(reservation.id, 'sandbox_ok'))).rejects.toMatchObject({ code: 'EMAIL_NEEDED' })
  await inTime(time, place.setAddressee(reservation.id, { email: 'ada@example.com', language: 'ko' }))
  await expect(inTime(time, place.pay(reservation.id, 'sandbox_declined'))).rejects.toMatchObject({
    code: 'PAYMENT_DECLINED',
  })
  const paid = await inTime(time, place.pay(reservation.id, 'sandbox_ok'))
  expect(paid).toMatchObject({ status: 'PAID', reservation: { id: reservation.id, status: 'PAID' } })
  await waitUntil('paying completes', async () => (await place.refresh()).status === 'completed')
})

it('[K23] money moves once, though every answer of the first seconds is lost', async () => {
  const { time, place } = await enter()
  const reservation = await inTime(time, place.reserve({ seatTypeId: sale.seatTypeId, quantity: 1 }))
  await inTime(time, place.setAddressee(reservation.id, { email: 'ada@example.com' }))
  let losses = 0
  time.lose = (path) => (/purchases|operations/.test(path) && losses++ < 2 ? 'answer' : undefined)
  const paid = await inTime(time, place.pay(reservation.id, 'sandbox_ok'))
  expect(losses).toBeGreaterThan(2)
  expect(paid).toMatchObject({ status: 'PAID' })
  await expect(inTime(time, place.pay(reservation.id, 'sandbox_ok'))).rejects.toMatchObject({ code: 'ALREADY_PAID' })
})

it('[K23] a payment that takes its time is waited for', async () => {
  const { time, place } = await enter()
  const reservation = await inTime(time, place.reserve({ seatTypeId: sale.seatTypeId, quantity: 1 }))
  await inTime(time, place.setAddressee(reservation.id, { email: 'ada@example.com' }))
  const begun = await inTime(time, place.pay(reservation.id, 'sandbox_slow'))
  if (begun.status !== 'PROCESSING' || !('operationId' in begun)) throw new Error('A slow payment is not paid at once')
  const settling = place.awaitOutcome(begun.operationId)
  expect(await inTime(time, settling)).toMatchObject({ status: 'PAID' })
})

it('[K23] giving seats back twice gives them back once', async () => {
  const { time, place } = await enter()
  const reservation = await inTime(time, place.reserve({ seatTypeId: sale.seatTypeId, quantity: 3 }))
  let losses = 0
  time.lose = (_path, method) => (method === 'DELETE' && losses++ === 0 ? 'answer' : undefined)
  expect(await inTime(time, place.cancel(reservation.id))).toMatchObject({ id: reservation.id, status: 'CANCELED' })
  expect(losses).toBeGreaterThan(1)
})
