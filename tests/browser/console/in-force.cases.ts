import { WORDS } from '@seatwise/web'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench } from './operator.ts'

const { controls, phase, settings: settingWords, edit } = WORDS.en.console
interface Room {
  room: { paused: boolean; message: string | null; capacity: number; ratePerMinute: number; graceSeconds: number }
}
const roomOf = async (id: string): Promise<Room['room']> =>
  (await bench.call<Room>('GET', `/api/events/${id}`, { token: bench.admin })).room

const control = (page: Page, inside: string): Locator =>
  page.locator('.controls .control', { has: page.locator(inside) })
/** How a control looks: framed and marked while something is only asked for. */
async function lookOf(one: Locator): Promise<{ isFramed: boolean; marks: number; text: string }> {
  const isFramed = await one.evaluate((element) => element.classList.contains('asked'))
  return { isFramed, marks: await one.getByText(controls.notApplied).count(), text: (await one.textContent()) ?? '' }
}
const asked = { isFramed: true, marks: 1 }
const inForce = { isFramed: false, marks: 0 }

it('[W83] a pause that is chosen and not applied does not look like one, and admission goes on', async () => {
  const id = await bench.openSale()
  const page = await bench.at(`/console/events/${id}`)
  const pause = control(page, '.big')
  await pause.waitFor()
  expect(await lookOf(pause)).toMatchObject(inForce)
  await page.click('.controls .big')
  expect(await lookOf(pause)).toMatchObject(asked)
  // The state is still the one in force: on the chip, at the top of the page, and in the room.
  expect(await pause.locator('.chip').textContent()).toBe(phase.open)
  expect(await page.locator('.phase .chip').textContent()).toBe(phase.open)
  expect(await page.locator('.controls').getByText(phase.paused, { exact: true }).count()).toBe(0)
  expect(await roomOf(id)).toMatchObject({ paused: false })
  expect(await axeFindings(page, '.controls')).toEqual([])
  // Pressed again, nothing is asked for any more.
  await page.click('.controls .big')
  expect(await lookOf(pause)).toMatchObject(inForce)
  await page.click('.controls .big')
  await page.click(`button:has-text("${controls.apply}")`)
  await pause.locator('.chip.paused').waitFor()
  expect(await lookOf(pause)).toMatchObject(inForce)
  expect(await roomOf(id)).toMatchObject({ paused: true })
  expect(await page.locator('.controls .big').textContent()).toBe(controls.goOn)
})

it('[W83] pace, places and message show what is in force beside what is asked for', async () => {
  const id = await bench.openSale({ ratePerMinute: 600, capacity: 100 })
  const page = await bench.at(`/console/events/${id}`)
  const [rate, places, message] = ['#ratePerMinute', '#capacity', 'textarea'].map((inside) =>
    control(page, inside),
  ) as [Locator, Locator, Locator]
  await rate.waitFor()
  await page.fill('#ratePerMinute', '900')
  await page.fill('#capacity', '50')
  await page.fill('.controls textarea', 'Doors in ten minutes')
  for (const [one, value] of [
    [rate, '600'],
    [places, '100'],
    [message, controls.noMessage],
  ] as const) {
    const look = await lookOf(one)
    expect(look).toMatchObject(asked)
    expect(look.text).toContain(controls.inForce.replace('{value}', value))
  }
  // What is no number, or out of bounds, asks for nothing and does not stay.
  await page.fill('#capacity', '0')
  await page.locator('#capacity').blur()
  expect(await page.inputValue('#capacity')).toBe('50')
  expect(await roomOf(id)).toMatchObject({ ratePerMinute: 600, capacity: 100, message: null })
  // Another operator applies the same pace: then it is in force, and no longer asked for.
  await bench.call('PATCH', `/api/events/${id}/room`, { token: bench.admin, body: { ratePerMinute: 900 } })
  await rate.getByText(controls.inForce.replace('{value}', '900')).waitFor()
  expect(await lookOf(rate)).toMatchObject(inForce)
  await page.click(`button:has-text("${controls.apply}")`)
  await page.waitForSelector('.notice.good')
  for (const one of [rate, places, message]) expect(await lookOf(one)).toMatchObject(inForce)
  expect((await lookOf(message)).text).toContain(controls.inForce.replace('{value}', '“Doors in ten minutes”'))
  expect(await roomOf(id)).toMatchObject({ ratePerMinute: 900, capacity: 50, message: 'Doors in ten minutes' })
})

it('[W83] settings, look and the event’s own form say what was not applied yet', async () => {
  const id = await bench.openSale({ graceSeconds: 120 })
  const page = await bench.at(`/console/events/${id}#settings`)
  const grace = page.locator('label', { has: page.locator('input[name=graceSeconds]') })
  await page.fill('input[name=graceSeconds]', '90')
  const look = await lookOf(grace)
  expect(look).toMatchObject(asked)
  expect(look.text).toContain(controls.inForce.replace('{value}', '120'))
  await page.uncheck('input[name=guests]')
  expect(await lookOf(page.locator('label', { has: page.locator('input[name=guests]') }))).toMatchObject(asked)
  await page.click('button[type=reset]')
  await expect.poll(() => lookOf(grace)).toMatchObject(inForce)
  await page.fill('input[name=graceSeconds]', '90')
  await page.click(`button:has-text("${settingWords.save}")`)
  await page.getByText(settingWords.saved).waitFor()
  expect(await lookOf(grace)).toMatchObject(inForce)
  expect(await roomOf(id)).toMatchObject({ graceSeconds: 90 })
  // What another operator changes afterwards is in force, whatever still stands in the field.
  await bench.call('PATCH', `/api/events/${id}/room`, { token: bench.admin, body: { graceSeconds: 30 } })
  await grace.getByText(controls.inForce.replace('{value}', '30')).waitFor()

  const brand = page.locator('form', { has: page.locator('input[name=ownColour]') })
  await page.fill('textarea[name=text]', 'Welcome')
  expect(await lookOf(brand)).toMatchObject(asked)
  await brand.locator('button[type=submit]').click()
  await expect.poll(() => lookOf(brand)).toMatchObject(inForce)

  await page.goto(`/console/events/${id}/edit`)
  const editor = page.locator('form.editor')
  expect(await lookOf(editor)).toMatchObject(inForce)
  await page.fill('input[name=location]', 'Elsewhere')
  expect(await editor.getByText(controls.notApplied).count()).toBe(1)
  await page.click(`button:has-text("${edit.save}"):not(:has-text("${edit.exportPlan}"))`)
  await page.waitForSelector('.notice.good')
  expect(await editor.getByText(controls.notApplied).count()).toBe(0)
})

it('[W82] date fields are by the clock at the venue; a time that clocks skip is refused, and a new zone moves nothing', async () => {
  const times = { startsAt: '2099-03-01T12:30:00.000Z', timeZone: 'Asia/Ho_Chi_Minh' }
  const id = await bench.openSale({}, times)
  type Event = { startsAt: string; salesEndAt: string; timeZone: string }
  const read = () => bench.call<Event>('GET', `/api/events/${id}`, { token: bench.admin })
  const before = await read()
  const page = await bench.at(`/console/events/${id}/edit`, { timezoneId: 'Pacific/Auckland' })
  const startsAt = page.locator('input[name=startsAt]')
  const save = async () => {
    await page.click('form.editor > p.actions button.main')
    await page.waitForSelector('form.editor > div .notice')
  }
  expect(await startsAt.inputValue()).toBe('2099-03-01T19:30')
  await startsAt.fill('2099-03-02T20:00')
  await save()
  expect(await read()).toMatchObject({ startsAt: '2099-03-02T13:00:00.000Z', salesEndAt: before.salesEndAt })
  await page.fill('input[name=timeZone]', 'Europe/Berlin')
  expect(await startsAt.inputValue()).toBe('2099-03-02T14:00')
  await save()
  expect(await read()).toMatchObject({ startsAt: '2099-03-02T13:00:00.000Z', timeZone: 'Europe/Berlin' })
  // On the last Sunday of March clocks go from 2 to 3.
  await startsAt.fill('2099-03-29T02:30')
  await page.locator('label', { has: startsAt }).getByText(edit.skipped).waitFor()
  await save()
  await page.waitForSelector('.notice.bad')
  await startsAt.fill('2099-10-25T02:30')
  await page.locator('label', { has: startsAt }).getByText(edit.twice).waitFor()
  await save()
  await page.waitForSelector('.notice.good')
  expect(await read()).toMatchObject({ startsAt: '2099-10-25T00:30:00.000Z' })
})
