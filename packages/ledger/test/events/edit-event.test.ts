import { randomUUID } from 'node:crypto'
import type { EventEditBody, SaleEvent } from '@seatwise/domain'
import { type EditOutcome, editEvent, type Ledger, readEvent, readSeatMap } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, makeEvent, seatsIn, takeSeats, type WireSeat } from './events-kit.ts'

forEachLedger('editing events', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const edit = (event: SaleEvent, body: EventEditBody): Promise<EditOutcome> =>
    editEvent(ledger, { eventId: event.id, body, newId: randomUUID })

  const edited = async (event: SaleEvent, body: EventEditBody): Promise<SaleEvent> => {
    const outcome = await edit(event, body)
    if (outcome.status !== 'edited') throw new Error(`not edited: ${JSON.stringify(outcome)}`)
    return outcome.event
  }

  const seatsOf = async (event: SaleEvent): Promise<WireSeat[]> => {
    const map = await readSeatMap(ledger.db, event.id, null)
    return map === 'unchanged' ? [] : seatsIn(map)
  }

  const take = async (event: SaleEvent, count: number, status: 'held' | 'sold'): Promise<WireSeat[]> => {
    const seats = (await seatsOf(event)).filter((seat) => seat.status === 'available').slice(0, count)
    const ids = seats.map(({ id }) => id)
    await takeSeats(ledger, event, ids, status)
    return seats
  }

  const stalls = (rows: { label: string; seats: number; blocked?: number[] }[]): Promise<SaleEvent> =>
    makeEvent(ledger, { seatTypes: [{ name: 'Stalls', price: 100, currency: 'EUR', rows }] })

  const idOf = (event: SaleEvent): string => event.seatTypes[0]?.id ?? ''

  describe('what may always change', () => {
    it('[E12] names what is different, and nothing else changes', async () => {
      const event = await makeEvent(ledger, { location: 'Praha' })
      const after = await edited(event, { name: 'Dvořák', startsAt: '2031-01-01T00:00:00Z' })
      const { updatedAt } = after
      expect(after).toEqual({ ...event, name: 'Dvořák', startsAt: new Date('2031-01-01T00:00:00Z'), updatedAt })
    })

    it('[E12] an unknown event is not edited', async () => {
      const options = { body: { name: 'x' }, newId: randomUUID }
      expect(await editEvent(ledger, { ...options, eventId: randomUUID() })).toEqual({ status: 'unknown' })
    })
  })

  describe('seats without a number', () => {
    it('[E13] grow and shrink, down to what is held or sold and not below', async () => {
      const event = await makeEvent(ledger, { totalSeats: 10 })
      await take(event, 2, 'held')
      await take(event, 1, 'sold')
      expect(await edited(event, { totalSeats: 4 })).toMatchObject({ totalSeats: 4, remainingSeats: 1 })
      expect(await edit(event, { totalSeats: 2 })).toMatchObject({ status: 'conflict', details: { taken: 3 } })
      expect(await readEvent(ledger.db, event.id)).toMatchObject({ totalSeats: 4, remainingSeats: 1 })
      expect(await edited(event, { totalSeats: 12 })).toMatchObject({ totalSeats: 12, remainingSeats: 9 })
      // Six had gone and came back; two are new.
      const rows = await ledger.db.selectFrom('seats').select('id').where('event_id', '=', event.id).execute()
      expect(rows).toHaveLength(12)
    })

    it('[E13] shrinking and claiming at once: whatever the order, nothing that is taken goes', async () => {
      const event = await makeEvent(ledger, { totalSeats: 40 })
      const seats = await seatsOf(event)
      const claims = seats.slice(-20).map(({ id }) => takeSeats(ledger, event, [id], 'held').catch(() => null))
      const [outcome] = await Promise.all([edit(event, { totalSeats: 20 }), ...claims])
      const rows = await ledger.db
        .selectFrom('seats')
        .select(['status', 'retired'])
        .where('event_id', '=', event.id)
        .execute()
      expect(rows.filter(({ status, retired }) => retired && status !== 'blocked')).toEqual([])
      expect(rows.filter(({ retired }) => !retired)).toHaveLength(outcome.status === 'edited' ? 20 : 40)
    })
  })

  describe('numbered seats', () => {
    it('[E14] rows come, grow, shrink and go', async () => {
      const event = await stalls([
        { label: 'A', seats: 4 },
        { label: 'B', seats: 4 },
      ])
      const rows = [
        { label: 'A', seats: 2 },
        { label: 'B', seats: 0 },
        { label: 'C', seats: 3 },
      ]
      const after = await edited(event, { seatTypes: [{ id: idOf(event), rows }] })
      expect(after.seatTypes[0]?.rows).toEqual([
        { label: 'A', seats: 2 },
        { label: 'C', seats: 3 },
      ])
      expect(after).toMatchObject({ totalSeats: 5, remainingSeats: 5 })
      const again = await edited(event, { seatTypes: [{ id: idOf(event), rows: [{ label: 'B', seats: 4 }] }] })
      expect(again).toMatchObject({ totalSeats: 9, remainingSeats: 9 })
      expect((await seatsOf(event)).filter(({ row }) => row === 'B')).toHaveLength(4)
    })

    it('[E14] a seat that is held or sold neither goes nor is blocked', async () => {
      for (const taken of ['held', 'sold'] as const) {
        const event = await stalls([{ label: 'A', seats: 4 }])
        const seats = await seatsOf(event)
        await takeSeats(ledger, event, [seats[3]?.id ?? ''], taken)
        for (const row of [
          { label: 'A', seats: 3 },
          { label: 'A', seats: 4, blocked: [1, 4] },
        ]) {
          expect(await edit(event, { seatTypes: [{ id: idOf(event), rows: [row] }] })).toMatchObject({
            status: 'conflict',
            details: { seats: [{ row: 'A', number: 4, status: taken }] },
          })
        }
        const statuses = (await seatsOf(event)).map(({ status }) => status)
        expect(statuses).toEqual(['available', 'available', 'available', taken])
      }
    })

    it('[E14] blocking, unblocking and marking change the seats and what is drawn', async () => {
      const event = await stalls([{ label: 'A', seats: 3, blocked: [1] }])
      const row = { label: 'A', seats: 3, blocked: [2], accessible: [3], x: 5, y: 6 }
      const after = await edited(event, { seatTypes: [{ id: idOf(event), rows: [row] }] })
      expect(after).toMatchObject({ remainingSeats: 2, seatTypes: [{ rows: [row] }] })
      expect(await seatsOf(event)).toMatchObject([
        { number: 1, status: 'available', x: 5, y: 6 },
        { number: 2, status: 'blocked', x: 6 },
        { number: 3, status: 'available', accessible: true, x: 7 },
      ])
    })
  })

  describe('seat types and prices', () => {
    it('[E15] a price changes while nothing of its type is held or sold, and then not', async () => {
      const event = await stalls([{ label: 'A', seats: 2 }])
      const change = (price: number): EventEditBody => ({ seatTypes: [{ id: idOf(event), price }] })
      expect((await edited(event, change(200))).seatTypes[0]?.price).toBe(200)
      await take(event, 1, 'held')
      expect(await edit(event, change(300))).toMatchObject({ status: 'conflict', details: { taken: 1 } })
      expect((await edited(event, change(200))).seatTypes[0]?.price).toBe(200)
    })

    it('[E15] a new seat type joins the plan at its end', async () => {
      const event = await makeEvent(ledger, { totalSeats: 2 })
      const after = await edited(event, { seatTypes: [{ name: 'Balcony', rows: [{ label: 'Z', seats: 3 }] }] })
      expect(after.seatTypes).toMatchObject([{ name: 'General' }, { name: 'Balcony', remaining: 3 }])
      expect((await seatsOf(event)).map(({ row }) => row)).toEqual([null, null, 'Z', 'Z', 'Z'])
    })
  })

  describe('the sale window', () => {
    const at = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()

    it('[E16] moves freely before the sale', async () => {
      const event = await makeEvent(ledger)
      const after = await edited(event, { salesStartAt: at(5), salesEndAt: at(6) })
      expect(after.salesEndAt > after.salesStartAt).toBe(true)
    })

    it('[E16] once the sale runs, its start stays and its end is not moved into the past', async () => {
      const event = await makeEvent(ledger, { salesStartAt: at(-2), salesEndAt: at(2) })
      expect(await edit(event, { salesStartAt: at(1) })).toMatchObject({ status: 'conflict' })
      expect(await edit(event, { salesEndAt: at(-1) })).toMatchObject({ status: 'conflict' })
      expect((await edited(event, { salesEndAt: at(1) })).salesEndAt < event.salesEndAt).toBe(true)
    })
  })

  it('[E17] a conflict leaves nothing of the edit behind', async () => {
    const event = await makeEvent(ledger, {
      seatTypes: [
        { name: 'One', totalQuantity: 5 },
        { name: 'Two', totalQuantity: 5 },
      ],
    })
    const two = (await seatsOf(event)).filter(({ seatTypeId }) => seatTypeId === event.seatTypes[1]?.id)
    await takeSeats(
      ledger,
      event,
      two.map(({ id }) => id),
      'sold',
    )
    const seatTypes = event.seatTypes.map(({ id }) => ({ id, totalQuantity: 1 }))
    expect(await edit(event, { name: 'Other', seatTypes })).toMatchObject({ status: 'conflict' })
    expect(await readEvent(ledger.db, event.id)).toMatchObject({ name: event.name, totalSeats: 10 })
  })
})
