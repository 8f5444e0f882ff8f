import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench } from './operator.ts'

const open = { capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 }

/** The page of a door that has the list, and is kept for the time without a connection. */
async function openDoor(id: string, door: string): Promise<Page> {
  const page = await bench.at(`/console/events/${id}/check-in`)
  await page.fill('input[name=door]', door)
  await page.getByText(/e-tickets? of .* on this device/).waitFor()
  await page.waitForFunction(async () => {
    const cache = await caches.open('seatwise-door')
    const worker = await navigator.serviceWorker.getRegistration()
    return (await cache.match(location.pathname)) !== undefined && worker?.active?.state === 'activated'
  })
  return page
}

async function check(page: Page, code: string, says: string): Promise<void> {
  await page.fill('input[name=code]', code)
  await page.keyboard.press('Enter')
  await page.locator('.scan').getByText(says).waitFor()
}

it('[W310][W311] without a network two doors let in by the list, also after a reload; then scans arrive and conflicts show', async () => {
  const id = await bench.openSale(open)
  const [ada, ben, cleo] = [
    await bench.buy(id, 'Ada Lovelace'),
    await bench.buy(id, 'Ben'),
    await bench.buy(id, 'Cleo'),
  ]
  const [north, south] = [await openDoor(id, 'North'), await openDoor(id, 'South')]
  await check(south, cleo.code, 'Let them in')
  await north.context().setOffline(true)
  await south.context().setOffline(true)
  await check(north, ada.code, 'Let them in')
  await north.getByText('No connection. Scans are checked with the list').waitFor()
  await north.getByText('1 scan waits to be sent.').waitFor()
  await check(north, ada.code, 'Already used')
  await check(north, `${ben.code.slice(0, -4)}AAAA`, 'Not one of our e-tickets.')
  expect(await axeFindings(north)).toEqual([])

  // The page, its scripts, the list and the scans are on the device.
  await north.reload()
  await north.getByText('1 scan waits to be sent.').waitFor()
  await check(north, ada.code, 'Already used')
  await check(north, ben.code, 'Let them in')
  await check(south, ada.code, 'Let them in')

  await north.context().setOffline(false)
  await north.getByText('Connected. Every scan is checked with all doors.').waitFor()
  await north.getByText('3 of 3', { exact: true }).waitFor()
  await south.context().setOffline(false)
  const trouble = south.getByRole('region', { name: 'Let in and should not have been' })
  await trouble.getByText(/Let in twice: North at .*, and South at/).waitFor()
  expect(await trouble.locator('li').count()).toBe(1)
  await north.locator('.by-door >> text=South').waitFor()
  expect(await axeFindings(south)).toEqual([])
})

it('[W312] staff finds a holder by part of the name and lets them in; the list leaves the device when asked', async () => {
  const id = await bench.openSale(open)
  await bench.buy(id, 'Nguyễn Thị Đào')
  await bench.buy(id, 'Johannes')
  const door = await openDoor(id, 'West')
  // Eight letters that could be a short code.
  await door.fill('input[name=code]', 'johannes')
  await door.locator('.found li >> text=Johannes').waitFor()
  await door.fill('input[name=code]', 'dao ngu')
  await door.getByRole('button', { name: /Let in: Nguyễn Thị Đào/ }).click()
  await door.locator('.scan').getByText('Let them in').waitFor()
  await door.fill('input[name=code]', 'dao')
  await door.locator('.found >> text=/Used /').waitFor()
  await door.fill('input[name=code]', 'zzzz')
  await door.getByText('No e-ticket has this code or name.').waitFor()
  await door.click('button:has-text("Remove from this device")')
  await door.getByText('were removed from this device').waitFor()
  await door.context().setOffline(true)
  await door.reload()
  await door.getByText('no list of e-tickets on this device').waitFor()
})
