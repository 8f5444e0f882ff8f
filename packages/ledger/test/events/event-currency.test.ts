import { randomUUID } from 'node:crypto'
import type { EventEditBody, SaleEvent } from '@seatwise/domain'
import { editEvent, type Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makeEvent, takeSeats } from './events-kit.ts'

const free = { name: 'Free', totalQuantity: 3 }
const priced = { name: 'Priced', price: 50_000, totalQuantity: 3 }

forEachLedger('the currency of an event', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const make = (...seatTypes: object[]) => makeEvent(ledger, { seatTypes: seatTypes as { name: string }[] })
  const edit = (event: SaleEvent, seatTypes: EventEditBody['seatTypes'] = []) =>
    editEvent(ledger, { eventId: event.id, newId: randomUUID, body: { seatTypes } })
  const currencies = ({ seatTypes }: SaleEvent): string[] => seatTypes.map(({ currency }) => currency)
  const idOf = ({ seatTypes }: SaleEvent, index: number): string => seatTypes[index]?.id ?? ''

  it('[E18] is the first that a seat type states, and that of every type that states none', async () => {
    expect(currencies(await make(free, { ...priced, currency: 'KRW' }))).toEqual(['KRW', 'KRW'])
    expect(currencies(await make({ ...priced, currency: 'KRW' }, { ...priced, name: 'More' }))).toEqual(['KRW', 'KRW'])
    expect(currencies(await make({ ...free, currency: 'JPY' }, free))).toEqual(['JPY', 'JPY'])
    expect(currencies(await make(free, free))).toEqual(['EUR', 'EUR'])
  })

  it('[E18] seat types that state different ones are refused, free ones too, and a price needs one', async () => {
    const bad = { code: 'BAD_REQUEST' }
    await expect(make({ ...free, currency: 'EUR' }, { ...priced, currency: 'KRW' })).rejects.toMatchObject(bad)
    await expect(make({ ...free, currency: 'EUR' }, { ...free, currency: 'USD' })).rejects.toMatchObject(bad)
    await expect(make({ ...free, currency: 'QQQ' })).rejects.toMatchObject(bad)
    await expect(make(free, priced)).rejects.toMatchObject(bad)
  })

  it('[E19] an edit gives new seat types the event’s, and cannot state another for some of the priced ones', async () => {
    const event = await make(free, { ...priced, currency: 'KRW' }, { ...priced, name: 'More' })
    const added = await edit(event, [{ ...priced, name: 'New' }])
    expect(added.status === 'edited' && currencies(added.event)).toEqual(['KRW', 'KRW', 'KRW', 'KRW'])
    const bad = { code: 'BAD_REQUEST' }
    await expect(edit(event, [{ ...free, currency: 'EUR' }])).rejects.toMatchObject(bad)
    await expect(edit(event, [{ id: idOf(event, 1), currency: 'EUR' }])).rejects.toMatchObject(bad)
    const one = { id: idOf(event, 1), currency: 'EUR' }
    await expect(edit(event, [one, { id: idOf(event, 2), name: 'Same price' }])).rejects.toMatchObject(bad)
  })

  it('[E19] an edit that states another for all priced ones changes the event’s, while nothing is held or sold', async () => {
    const event = await make(free, { ...priced, currency: 'KRW' })
    const change = [{ id: idOf(event, 1), currency: 'EUR', price: 30_00 }]
    const edited = await edit(event, change)
    expect(edited.status === 'edited' && currencies(edited.event)).toEqual(['EUR', 'EUR'])
    const { rows } = await sql<{ id: string }>`
      select id from seats where seat_type_id = ${idOf(event, 0)} order by ordinal limit 1`.execute(ledger.db)
    await takeSeats(
      ledger,
      event,
      rows.map(({ id }) => id),
      'held',
    )
    // The free seat is held by a reservation in EUR.
    expect(await edit(event, [{ id: idOf(event, 1), currency: 'KRW' }])).toMatchObject({ status: 'conflict' })
    const now = await edit(event, [{ id: idOf(event, 1), price: 40_00 }])
    expect(now.status === 'edited' && currencies(now.event)).toEqual(['EUR', 'EUR'])
  })

  it('[E18] the database itself forbids a second one', async () => {
    const event = await make(free, { ...priced, currency: 'KRW' })
    const change = sql`update seat_types set currency = 'USD' where id = ${idOf(event, 0)}`.execute(ledger.db)
    await expect(change).rejects.toThrow('seat_types_currency_of_event')
  })
})
