import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, OPEN_FLOOR, seatIdsOf, typeIdsOf } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

const VARIANTS = [
  { id: 'adult', name: 'Adult', price: 9_000 },
  { id: 'child', name: 'Child', price: 4_500 },
]

const HOUSE = {
  totalSeats: undefined,
  taxRate: 19,
  fees: [{ name: 'Booking', perTicket: 150 }],
  seatTypes: [
    { name: 'Stalls', price: 9_000, currency: 'EUR', variants: VARIANTS, rows: [{ label: 'A', seats: 10 }] },
    { name: 'Standing', price: 4_501, totalQuantity: 5 },
  ],
}

interface Priced {
  id: string
  items: { price: number; variantId: string | null; paid: number }[]
  lines: object[]
  tax: number
  amount: number
}

forEachMode('prices of a reservation', (open) => {
  let bench: RoomBench
  let sale: string
  beforeAll(async () => {
    bench = await open()
    sale = await bench.sale(OPEN_FLOOR, HOUSE)
  })

  it('[B80] a reservation answers with lines, tax and what each seat pays, and is read so again', async () => {
    const [a1 = '', a2 = '', a3 = ''] = await seatIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const variants = [
      { variantId: 'child', quantity: 2 },
      { variantId: 'adult', quantity: 1 },
    ]
    const answer = await ada.reserve({ seatIds: [a1, a2, a3], variants })
    const { id, items, lines, tax, amount } = answer.json<Priced>()
    expect(lines).toEqual([
      { kind: 'seat', name: 'Stalls · Child', quantity: 2, unitPrice: 4_500, amount: 9_000, tax: 1_437 },
      { kind: 'seat', name: 'Stalls · Adult', quantity: 1, unitPrice: 9_000, amount: 9_000, tax: 1_437 },
      { kind: 'fee', name: 'Booking', amount: 450, tax: 72 },
    ])
    expect({ tax, amount }).toEqual({ tax: 2_946, amount: 18_450 })
    expect(items.map(({ price, variantId, paid }) => [price, variantId, paid])).toEqual([
      [4_500, 'child', 4_613],
      [4_500, 'child', 4_612],
      [9_000, 'adult', 9_225],
    ])
    // To the letter; read alone, it also says what the buyer answered.
    const readAlone = (await ada.read(`/api/reservations/${id}`)).body
    expect(readAlone.slice(0, answer.body.length)).toBe(answer.body.replace(/\}$/, ','))
  })

  it('[B83] without variants a seat has the first one of its type, or the own price of the type', async () => {
    const [, , , a4 = ''] = await seatIdsOf(bench, sale)
    const [, standing] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    expect((await ada.reserved({ seatIds: [a4] })).items).toMatchObject([{ variantId: 'adult', price: 9_000 }])
    const items = (await ada.reserved({ seatTypeId: standing, quantity: 2 })).items
    expect(items).toMatchObject([
      { variantId: null, price: 4_501, paid: 4_651 },
      { variantId: null, price: 4_501, paid: 4_651 },
    ])
  })

  it('[B83] wrong quantities are 400, unknown variants 404, and neither takes a seat', async () => {
    const [stalls, standing] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const wish = (variantId: string, quantity: number) => ({ variants: [{ variantId, quantity }] })
    const two = { seatTypeId: stalls, quantity: 2 }
    expectError(await ada.reserve({ ...two, ...wish('child', 1) }), 400, 'BAD_REQUEST')
    expectError(await ada.reserve({ ...two, ...wish('child', 3) }), 400, 'BAD_REQUEST')
    expectError(await ada.reserve({ ...two, ...wish('senior', 2) }), 404, 'NOT_FOUND')
    expectError(await ada.reserve({ seatTypeId: standing, quantity: 1, ...wish('child', 1) }), 404, 'NOT_FOUND')
    expect((await ada.read('/api/reservations')).json()).toEqual({ items: [] })
  })

  it('[E24] ids of variants are made and kept, and tax and fees can be edited without changing what is reserved', async () => {
    const named = VARIANTS.map(({ name, price }) => ({ name, price }))
    const event = await bench.sale(OPEN_FLOOR, { ...HOUSE, seatTypes: [{ ...HOUSE.seatTypes[0], variants: named }] })
    const read = async () => (await bench.call('GET', event)).json<WirePrices>()
    const before = await read()
    const ada = await Buyer.admitted(bench, event)
    const [a1 = ''] = await seatIdsOf(bench, event)
    const { id, amount } = await ada.reserved({ seatIds: [a1] })
    const [type] = before.seatTypes
    const senior = { name: 'Senior', price: 7_000 }
    const body = { taxRate: 7.125, fees: [], seatTypes: [{ id: type?.id, variants: [...named, senior] }] }
    const edited = await bench.call('PATCH', event, { as: bench.organizer.authorization, body })
    expect(edited.statusCode).toBe(200)
    const after = edited.json<WirePrices>()
    expect(after).toMatchObject({ taxRate: 7.125, fees: [] })
    expect(after.seatTypes[0]?.variants.slice(0, 2)).toEqual(type?.variants)
    expect(after.seatTypes[0]?.variants[2]).toMatchObject(senior)
    expect((await ada.read(`/api/reservations/${id}`)).json()).toMatchObject({ amount, tax: 1_461 })
    const dearer = { seatTypes: [{ id: type?.id, variants: [{ name: 'Adult', price: 9_500 }] }] }
    const refused = await bench.call('PATCH', event, { as: bench.organizer.authorization, body: dearer })
    expectError(refused, 409, 'PRICES_LOCKED')
  })

  it('[B84] what is paid is the sum of the lines, as they were when the seats were reserved', async () => {
    const event = await bench.sale(OPEN_FLOOR, HOUSE)
    const ada = await Buyer.admitted(bench, event)
    const [a1 = ''] = await seatIdsOf(bench, event)
    const reservation = await ada.reserved({ seatIds: [a1], variants: [{ variantId: 'child', quantity: 1 }] })
    await bench.call('PATCH', event, { as: bench.organizer.authorization, body: { fees: [] } })
    const { items, amount } = (await ada.read(`/api/reservations/${reservation.id}`)).json<Priced>()
    expect(amount).toBe(4_650)
    expect(items.reduce((sum, { paid }) => sum + paid, 0)).toBe(amount)
  })
})

interface WirePrices {
  taxRate: number
  fees: object[]
  seatTypes: { id: string; variants: { id: string; name: string; price: number }[] }[]
}
