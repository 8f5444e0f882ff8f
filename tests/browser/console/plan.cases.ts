import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { bench } from './operator.ts'

interface Row {
  label: string
  section?: string
  seats: number
  curve?: number
  numbers?: number[]
}
interface Event {
  id: string
  totalSeats: number
  seatTypes: { name: string; totalQuantity: number; rows: Row[] | null }[]
}

/** What a person does with mouse and keyboard; each counts. */
class Hand {
  actions = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async do(act: (page: Page) => Promise<unknown>): Promise<void> {
    this.actions += 1
    await act(this.#page)
  }

  /** On the plan, in fractions of its width and height. */
  async drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    this.actions += 1
    const plan = this.#page.locator('.plan')
    await plan.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = await plan.boundingBox()
    if (box === null) throw new Error('The plan is shown')
    await this.#page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1])
    await this.#page.mouse.down()
    await this.#page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 4 })
    await this.#page.mouse.up()
  }
}

it('[W140] 500 seats in two curved blocks and a standing area take fewer than 40 actions', async () => {
  const page = await bench.signIn('/console/new')
  await page.fill('input[name=name]', 'Two curved blocks')
  const hand = new Hand(page)
  await hand.do(() => page.fill('input[name=typeName]', 'Stalls'))
  await hand.do(() => page.fill('input[name=price]', '40'))
  await hand.do(() => page.focus('.plan'))
  await hand.do(() => page.keyboard.press('Control+a'))
  await hand.do(() => page.keyboard.press('Delete'))
  await hand.do(() => page.fill('input[name=block-rows]', '10'))
  await hand.do(() => page.fill('input[name=block-seats]', '25'))
  await hand.do(() => page.click('text=Add block'))
  await hand.do(() => page.focus('.plan'))
  await hand.do(() => page.keyboard.press('Control+a'))
  await hand.do(() => page.fill('input[name=plan-curve]', '-30'))
  await hand.do(() => page.fill('input[name=plan-section]', 'Left'))
  await hand.do(() => page.selectOption('select[name=plan-side]', 'odd'))
  await hand.do(() => page.click('button:has-text("Renumber")'))
  await hand.do(() => page.click('button:has-text("Duplicate")'))
  await hand.do(() => page.click('button:has-text("Mirror")'))
  await hand.do(() => page.fill('input[name=plan-section]', 'Right'))
  await hand.do(() => page.selectOption('select[name=plan-side]', 'even'))
  await hand.do(() => page.click('button:has-text("Renumber")'))
  await hand.do(() => page.click('text=Add category'))
  await hand.do(() => page.fill('.type-fields:last-child input[name=typeName]', 'Standing'))
  await hand.do(() => page.selectOption('.type-fields:last-child select', 'standing'))
  await hand.do(() => page.fill('.type-fields:last-child input[name=quantity]', '300'))
  await hand.do(() => page.click('button:has-text("Create event")'))
  expect(hand.actions).toBeLessThan(40)
  await page.waitForURL(/\/console\/events\/[0-9a-f-]+#ready$/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const event = await bench.call<Event>('GET', `/api/events/${id}`)
  const [stalls, standing] = event.seatTypes
  expect(standing).toMatchObject({ name: 'Standing', totalQuantity: 300, rows: null })
  expect(stalls?.totalQuantity).toBe(500)
  const first = (section: string) => stalls?.rows?.find((row) => row.section === section)
  expect(first('Left')).toMatchObject({ label: 'Left A', seats: 25 })
  expect(first('Left')?.numbers?.slice(0, 3)).toEqual([1, 3, 5])
  expect(first('Right')?.numbers?.slice(0, 3)).toEqual([2, 4, 6])
  expect(first('Left')?.curve).toBeCloseTo(-30)
  expect(first('Right')?.curve).toBeCloseTo(30)
})

it('[W140] a block is drawn by dragging, moved, undone and done again', async () => {
  const page = await bench.signIn('/console/new')
  const hand = new Hand(page)
  const rows = (): Promise<number> => page.locator('.plan .row').count()
  await page.check('input[name=tool][value=draw]')
  await hand.drag([0.2, 0.6], [0.6, 0.9])
  expect(await rows()).toBeGreaterThan(2)
  const drawn = await rows()
  await page.check('input[name=tool][value=select]')
  const label = await page.locator('.plan .row').last().getAttribute('data-label')
  await page.click(`.plan .row[data-label="${label}"] .seat[data-number="1"]`)
  const spot = (): Promise<string | null> =>
    page.locator(`.plan .row[data-label="${label}"] .seat[data-number="1"] circle`).getAttribute('cx')
  const before = Number(await spot())
  await page.focus('.plan')
  await page.keyboard.press('ArrowRight')
  expect(Number(await spot())).toBe(before + 4)
  await page.keyboard.press('Control+z')
  expect(Number(await spot())).toBe(before)
  await page.keyboard.press('Control+z')
  expect(await rows()).toBe(1)
  await page.keyboard.press('Control+y')
  expect(await rows()).toBe(drawn)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  expect(await rows()).toBe(0)
})

it('[W141] a ready plan is there with one choice, and can be sold as it is', async () => {
  const page = await bench.signIn('/console/new')
  await page.fill('input[name=name]', 'A night at the theatre')
  await page.selectOption('select[name=ready-plan]', 'theatre')
  await page.click('text=Use this plan')
  await page.click('button:has-text("Create event")')
  await page.waitForURL(/\/console\/events\/[0-9a-f-]+#ready$/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const event = await bench.call<Event>('GET', `/api/events/${id}`)
  expect(event.seatTypes.map(({ name }) => name)).toEqual(['Stalls', 'Balcony'])
})
