import { GUESTS, hallTypes, joinMany, makeSale } from './sales.ts'
import type { Shooting } from './shooting.ts'

const AURORA = {
  name: 'Aurora Live',
  location: 'Nhà hát Lớn, Hà Nội',
  description: 'An evening of light and strings.',
}

/** From the list of events to the e-ticket, and what can go wrong on the way. */
export async function shootBuying(shooting: Shooting): Promise<void> {
  const { stage, page } = shooting
  const room = { ...GUESTS, capacity: 100 }
  const id = await makeSale(stage, { ...AURORA, seatTypes: hallTypes(), room })
  await shooting.visit('list', '/', '.programme')
  await shooting.visit('list-nothing', '/?q=zzzzz', 'main .lead')
  await shooting.visit('event', `/events/${id}`, '.prices')
  await shooting.visit('sign-in', '/sign-in?new=1', 'form')
  await shooting.visit('nothing-here', '/nothing', 'h1')
  await shooting.visit('seats-not-inside', `/events/${id}/seats`, 'h1')
  await page.goto(`/events/${id}/wait`)
  await shooting.state('turn')
  await shooting.press('Go in')
  await page.getByRole('application').waitFor()
  await shooting.press(/Best 2/)
  await page.locator('.chip').first().waitFor()
  await shooting.show('seats')
  await beTooLate(shooting, id)
  await shooting.press('List')
  await page.getByText('Row A').first().click()
  await shooting.show('seats-list')
  await shooting.press('Reserve and pay')
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await shooting.show('checkout')
  await pay(shooting)
  await shooting.visit('my-tickets', '/reservations', '.owned')
  await shooting.visit('done', `/events/${id}/wait`, '[data-state=done]')
  await plainSeats(shooting, id)
  await letExpire(shooting)
  await otherEndings(shooting)
}

/** Somebody else takes the seats that are chosen. */
async function beTooLate(shooting: Shooting, id: string): Promise<void> {
  const rival = await shooting.other()
  const { page } = rival
  await page.goto(`/events/${id}/wait`)
  await rival.state('turn')
  await rival.press('Go in')
  await page.getByRole('application').waitFor()
  const [first = ''] = await shooting.page.locator('.chip').allTextContents()
  await rival.press('List')
  await page
    .locator('summary', { hasText: first.split(',')[0] ?? '' })
    .first()
    .click()
  await page.getByRole('button', { name: new RegExp(`^${first.trim()},`) }).click()
  await rival.press('Reserve and pay')
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await rival.close()
  await shooting.page.getByRole('alert').first().waitFor()
  await shooting.show('seats-taken')
  await shooting.press(/^Take/)
}

async function pay(shooting: Shooting): Promise<void> {
  const { page } = shooting
  await page.getByLabel('Card that is declined').check()
  await shooting.press(/^Pay/)
  await page.getByText('Your card was declined').waitFor()
  await shooting.show('declined')
  await page.getByLabel('Card that asks your bank').check()
  await shooting.press(/^Pay/)
  await page.locator('.bank').waitFor()
  await shooting.show('bank')
  await shooting.press('Approve')
  await page.getByRole('heading', { name: 'Your seats are booked' }).waitFor()
  await shooting.show('paid')
  await page.getByRole('link', { name: 'E-ticket 1' }).click()
  await page.locator('.qr svg').waitFor()
  await shooting.show('e-ticket')
  const { code } = (await (await page.request.get(new URL(page.url()).pathname.replace('/e', '/api/e'))).json()) as {
    code: string
  }
  await shooting.stage.operate('POST', '/api/checkin', { code })
  await page.reload()
  await page.locator('.used').waitFor()
  await shooting.show('e-ticket-used')
}

async function plainSeats(shooting: Shooting, id: string): Promise<void> {
  const plain = await shooting.other({ javaScriptEnabled: false })
  await plain.page.goto(`/events/${id}/wait`)
  while ((await plain.page.locator('[data-state=turn]').count()) === 0) await plain.page.reload()
  await plain.press('Go in')
  await plain.page.waitForURL('**/seats')
  await plain.show('seats-plain')
  await plain.close()
}

/** The time to pay passes. */
async function letExpire(shooting: Shooting): Promise<void> {
  const { stage, page } = shooting
  const room = { ...GUESTS, capacity: 100, reservationSeconds: 4 }
  const seatTypes = [{ name: 'Standing', price: 2_500, currency: 'EUR', totalQuantity: 80 }]
  const id = await makeSale(stage, { name: 'Late Show', location: 'Basel', seatTypes, room })
  await joinMany(stage, id, [])
  await page.goto(`/events/${id}/wait`)
  await shooting.state('turn')
  await shooting.press('Go in')
  await shooting.press(/^One more/)
  await shooting.press('Reserve and pay')
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  const isOver = () => page.getByRole('heading', { name: 'Your reservation has expired' }).count()
  while ((await isOver()) === 0) await page.reload()
  await shooting.show('checkout-expired')
}

/** Seats that are given back, a card that takes its time, and money that is sent back. */
async function otherEndings(shooting: Shooting): Promise<void> {
  const { stage, page } = shooting
  const seatTypes = [{ name: 'Standing', price: 2_500, currency: 'EUR', totalQuantity: 80 }]
  const room = { ...GUESTS, capacity: 100 }
  const id = await makeSale(stage, { name: 'Second Thoughts', location: 'Malmö', seatTypes, room })
  const reserve = async (): Promise<void> => {
    await shooting.press(/^One more/)
    await shooting.press('Reserve and pay')
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  }
  await page.goto(`/events/${id}/wait`)
  await shooting.press('Go in')
  await reserve()
  const givenBack = page.url()
  await shooting.press('Release the seat')
  await page.waitForURL('**/seats')
  await shooting.visit('checkout-given-back', givenBack, 'main .lead')
  await page.getByRole('link', { name: 'Choose again' }).click()
  await reserve()
  const checkout = page.url()
  await page.getByLabel('Card that is slow').check()
  await shooting.press(/^Pay/)
  await page.getByText('Your payment is being processed.').waitFor()
  await shooting.show('checkout-under-way')
  await page.getByRole('link', { name: 'E-ticket 1' }).click()
  await page.locator('.qr svg').waitFor()
  const eticket = page.url()
  const { items } = await stage.operate('GET', `/api/events/${id}/reservations?status=PAID`)
  const [{ purchase }] = items as [{ purchase: { id: string } }]
  await stage.operate('POST', `/api/purchases/${purchase.id}/refund`)
  await shooting.visit('checkout-refunded', checkout, 'main .lead')
  await shooting.visit('e-ticket-void', eticket, '.eticket')
}
