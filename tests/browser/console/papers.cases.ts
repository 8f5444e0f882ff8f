import { waitUntil } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench, HOSTILE } from './operator.ts'

it('[W119] an admin edits the seller’s data, and sees and downloads settlements', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  await bench.buy(id, 'Ada')
  const settlement = `/api/events/${id}/settlement`
  await waitUntil('the sale has its receipt', async () => {
    const { totals } = await bench.call<{ totals: unknown[] }>('GET', settlement, { token: bench.admin })
    return totals.length > 0
  })
  const page = await bench.at('/console')
  await page.click('a[href="/console/organizations"]')
  await page.waitForSelector('input[name=name]')
  await page.fill('input[name=name]', HOSTILE)
  await page.fill('textarea[name=address]', 'Tràng Tiền 1\nHà Nội')
  await page.waitForSelector('.field.asked >> text=Not applied yet')
  expect(await axeFindings(page, 'html')).toEqual([])
  await page.click('#organizations form button')
  await page.waitForSelector('text=Applied. The audit trail lists it.')
  expect(await page.locator('.not-applied').count()).toBe(0)
  expect(await page.textContent('#organizations h2')).toBe(HOSTILE)
  await page.waitForSelector('table.settlement td')
  expect(await page.getAttribute('a:has-text("Receipts as CSV")', 'href')).toContain('/receipts.csv?timeZone=')
  const [house] = (await bench.call<{ items: { name: string }[] }>('GET', '/api/organizations', { token: bench.admin }))
    .items
  expect(house).toMatchObject({ name: HOSTILE, address: 'Tràng Tiền 1\nHà Nội' })

  await page.goto(`/console/events/${id}#settlement`)
  await page.waitForSelector('[role=tabpanel] table.settlement td')
  expect(await page.textContent('[role=tabpanel] tbody tr:last-child th')).toBe('Total')
  expect(await axeFindings(page, '.tabs')).toEqual([])
  const pdf = await page.request.get((await page.getAttribute('[role=tabpanel] a:has-text("PDF")', 'href')) ?? '')
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf'])
})
