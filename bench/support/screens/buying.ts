import { GUESTS, hallTypes, makeSale } from './sales.ts'
import type { Studio } from './studio.ts'

const AURORA = {
  name: 'Aurora Live',
  location: 'Nhà hát Lớn, Hà Nội',
  description: 'An evening of light and strings.',
}

/** From the list of events on a desk to the e-ticket on a phone. */
export async function drawBuying(studio: Studio): Promise<void> {
  const room = { ...GUESTS, capacity: 100 }
  const id = await makeSale(studio.stage, { ...AURORA, seatTypes: hallTypes(), room })
  const desk = await studio.open('desk')
  await desk.visit('events', '/', '.programme')
  await desk.visit('event', `/events/${id}`, '.prices')
  await desk.page.goto(`/events/${id}/wait`)
  await desk.state('turn')
  await desk.press('Go in')
  await desk.page.getByRole('application').waitFor()
  await desk.press(/Best 2/)
  await desk.page.locator('.chip').first().waitFor()
  await desk.draw('seats')
  await desk.press('Reserve and pay')
  await desk.page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await desk.page.getByLabel('Email address').fill('linh@example.com')
  await desk.draw('checkout')
  await desk.press(/^Pay/)
  await desk.page.getByRole('heading', { name: 'Your seats are booked' }).waitFor()
  await desk.page.getByRole('link', { name: 'E-ticket 1' }).click()
  await desk.page.locator('.qr svg').waitFor()
  const phone = await studio.open('phone', { storageState: await desk.page.context().storageState() })
  await phone.visit('e-ticket', new URL(desk.page.url()).pathname, '.qr svg')
  await phone.close()
  await desk.close()
}
