import { WORDS } from '@seatwise/web'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench } from './operator.ts'

const words = WORDS.en.wait

it('[R119] [W176] a visitor whose shared device was refused asks, the operator lets the ticket stand, and the page joins', async () => {
  const id = await bench.openSale({ paused: true })
  const device = await bench.newPage()
  await device.goto(`/events/${id}/wait`)
  await device.waitForSelector('[data-state]:not([data-state=challenge]) .position')
  // The device forgets who was there, as after signing out.
  await device.context().clearCookies({ name: /^seatwise-(session|tickets)$/ })
  await device.goto(`/events/${id}/wait`)
  await device.waitForSelector('[data-state=device]')
  expect(await axeFindings(device, 'html')).toEqual([])
  await device.getByRole('button', { name: words.askOrganiser }).click()
  await device.getByText(words.deviceWait).waitFor()
  const [reference = ''] = /[0-9A-F]{8}/.exec((await device.textContent('.answers')) ?? '') ?? []

  const operator = await bench.at(`/console/events/${id}#entry`)
  const row = operator.locator('tr', { hasText: reference })
  await row.getByText(WORDS.en.console.entry.asked).waitFor()
  expect(await axeFindings(operator, '.tabs')).toEqual([])
  await row.getByRole('button', { name: WORDS.en.console.entry.stand }).click()
  await operator.getByRole('dialog').getByRole('button', { name: WORDS.en.console.entry.stand }).click()
  await row.getByText(WORDS.en.console.entry.stands).waitFor()
  await operator.locator('tr', { hasText: WORDS.en.console.entry.reasons.duplicate_device }).waitFor()

  // As the page does by itself within half a minute.
  await device.reload()
  await device.waitForSelector('[data-state]:not([data-state=device]) .position')
})
