import { WORDS } from '@seatwise/web'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench, PASSWORD } from './operator.ts'

let id: string
let seller: string
beforeAll(async () => {
  const rows = [
    { label: 'A', seats: 8, blocked: [1], accessible: [2] },
    { label: 'B', seats: 8 },
  ]
  const variants = [
    { name: 'Adult', price: 9_000 },
    { name: 'Child', price: 4_000 },
  ]
  const seatTypes = [
    { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows, variants },
    { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 5 },
  ]
  id = await bench.openSale({}, { totalSeats: undefined, seatTypes, fees: [{ name: 'Booking', perTicket: 100 }] })
  const { email } = await bench.register('Sela', 'staff')
  // The role counts from the next time they sign in.
  const body = { email, password: PASSWORD }
  seller = (await bench.call<{ accessToken: string }>('POST', '/api/auth/login', { body })).accessToken
})

/** A tablet in the hands of a member of staff; nothing of ours runs on it. */
async function tablet(): Promise<Page> {
  const page = await bench.newPage({ viewport: { width: 820, height: 1180 }, javaScriptEnabled: false, hasTouch: true })
  await page.context().addCookies([{ name: 'seatwise-session', value: seller, url: bench.server.url }])
  await page.goto(`/console/events/${id}/door`)
  return page
}

const section = (page: Page, name: string) => page.locator('section.sheet', { hasText: name })

it('[W120] [W122] without scripts: seats from the plan, the total first, sold once, printed and sent', async () => {
  const page = await tablet()
  await section(page, 'Stalls').getByRole('link', { name: 'Choose on the plan' }).click()
  await page.getByLabel('Row B, seat 4').check()
  await page.getByLabel('Row B, seat 5').check()
  expect(await page.getByLabel('Row A, seat 1').isDisabled()).toBe(true)
  const stalls = section(page, 'Stalls')
  await stalls.getByLabel('Adult').fill('1')
  await stalls.getByLabel('Child').fill('1')
  await stalls.getByLabel('Card terminal').check()
  await stalls.getByRole('button', { name: 'Show the total' }).click()
  expect(await page.locator('.door-total').textContent()).toBe('€132.00')
  const seats = await bench.call<{ seats: { status: string }[] }>('GET', `/api/events/${id}/seats`)
  expect(seats.seats.filter(({ status }) => status === 'sold')).toEqual([])
  await page.getByRole('button', { name: 'Sell for €132.00' }).click()
  await page.getByRole('heading', { name: 'Sold' }).waitFor()
  expect(await page.locator('td.code').allTextContents()).toEqual([
    expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
  ])
  const sold = page.url()
  // Back to the total, and confirmed once more: the same sale is shown.
  await page.goBack()
  await page.getByRole('button', { name: 'Sell for €132.00' }).click()
  await page.waitForURL(sold)
  await page.getByRole('link', { name: 'Print the tickets' }).click()
  await page.locator('svg').first().waitFor()
  expect(await page.locator('article').count()).toBe(2)
  await page.goto(sold)
  await page.fill('input[name=email]', 'ada@example.com')
  await page.getByRole('button', { name: 'Send by email' }).click()
  await page.getByRole('status').filter({ hasText: 'ada@example.com' }).waitFor()
})

it('[W120] [W121] a number of tickets, refusals that say why, and the cash-up of the day', async () => {
  const page = await tablet()
  const standing = section(page, 'Standing')
  await standing.getByRole('spinbutton').fill('2')
  await standing.getByRole('button', { name: 'Show the total' }).click()
  await page.getByRole('button', { name: 'Sell for €92.00' }).click()
  await page.getByRole('link', { name: 'Next sale' }).click()
  await section(page, 'Standing').getByRole('spinbutton').fill('9')
  await section(page, 'Standing').getByRole('button', { name: 'Show the total' }).click()
  await page.getByRole('button', { name: /^Sell for/ }).click()
  await page.getByRole('alert').filter({ hasText: 'Only 3 seats are free now' }).waitFor()
  await section(page, 'Standing').getByRole('button', { name: 'Show the total' }).click()
  await page.getByRole('alert').filter({ hasText: 'Choose at least one ticket' }).waitFor()
  const cashUp = page.locator('section', { has: page.getByRole('heading', { name: /^Cash-up of/ }) })
  expect(await cashUp.locator('tbody tr', { hasText: 'Sela' }).filter({ hasText: 'Cash' }).textContent()).toContain(
    '€92.00',
  )
  const answer = await page.request.get(`/api/events/${id}/cash-up.csv`)
  expect(await answer.text()).toContain('Sela')
})

it('[W122] in every language, with targets of 44 px, nothing too wide, and nothing that axe finds', async () => {
  for (const language of ['en', 'ko', 'vi'] as const) {
    const page = await bench.at(`/console/events/${id}?lang=${language}`, { viewport: { width: 820, height: 1180 } })
    await page.getByRole('link', { name: WORDS[language].door.title }).click()
    await page.getByRole('link', { name: WORDS[language].door.openPlan }).click()
    await page.waitForSelector('.door-seat')
    expect({ language, found: await axeFindings(page) }).toEqual({ language, found: [] })
    if (language !== 'en') continue
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          '.door :is(button, a.button, .target, .door-seat, input:not([type=hidden]), .choices label)',
        ),
      ]
        .filter((element) => !(element instanceof HTMLInputElement && /radio|checkbox/.test(element.type)))
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML.slice(0, 100)),
    )
    expect(small).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth && !element.closest('.table-scroll'))
        .map((element) => element.outerHTML.slice(0, 100)),
    )
    expect(wide).toEqual([])
    await page.goto(`/console/events/${id}/door?type=${await firstType()}&n-0=1`)
    await page.waitForSelector('.door-total')
    expect(await axeFindings(page)).toEqual([])
  }
})

async function firstType(): Promise<string> {
  const { seatTypes } = await bench.call<{ seatTypes: { id: string }[] }>('GET', `/api/events/${id}`)
  return seatTypes[0]?.id ?? ''
}
