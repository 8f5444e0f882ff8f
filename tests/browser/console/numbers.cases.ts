import { expect, it } from 'vitest'
import { bench } from './operator.ts'

interface Plan {
  seatTypes: { price: number; rows: { seats: number; x: number; y: number }[] }[]
}

it('[W81] a row is put at 0 by typing it; an empty or out-of-bounds value changes nothing', async () => {
  const rows = [{ label: 'A', seats: 4, x: 40, y: 60, seatPitch: 20 }]
  const seatTypes = [{ name: 'Stalls', price: 900, currency: 'EUR', reservedSeating: true, rows }]
  const id = await bench.openSale({}, { totalSeats: undefined, seatTypes })
  const page = await bench.at(`/console/events/${id}/edit`)
  await page.click('summary')
  const field = (what: string) => page.getByLabel(`${what}, Stalls A`)
  for (const [what, wrong, shown] of [
    ['Left', '', '40'],
    ['Left', '100001', '40'],
    ['Seats', '0', '4'],
    ['Seats', '2.5', '4'],
  ] as const) {
    await field(what).fill(wrong)
    expect(await field(what).evaluate((input) => (input as HTMLInputElement).validity.valid)).toBe(false)
    await field(what).blur()
    expect(await field(what).inputValue()).toBe(shown)
  }
  await field('Left').fill('0')
  await field('Top').fill('0')
  await page.fill('input[name=price]', '0')
  await page.click('.editor > p button')
  await page.waitForSelector('.notice.good')
  const saved = await bench.call<Plan>('GET', `/api/events/${id}`, { token: bench.admin })
  expect(saved.seatTypes).toMatchObject([{ price: 0, rows: [{ seats: 4, x: 0, y: 0 }] }])
})
