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
type Corner = [number, number]
interface Event {
  id: string
  totalSeats: number
  seatTypes: { name: string; totalQuantity: number; rows: Row[] | null; area: Corner[] | null }[]
  shapes: { kind: string; label?: string; outline: Corner[] }[]
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
  await hand.do(() => page.check('input[name=tool][value=area]'))
  await hand.drag([0.3, 0.02], [0.7, 0.1])
  await hand.do(() => page.fill('.type-fields:last-child input[name=quantity]', '300'))
  await hand.do(() => page.check('input[name=tool][value=stage]'))
  await hand.do(() => page.selectOption('select[name=plan-form]', 'half'))
  await hand.drag([0.35, 0.01], [0.65, 0.06])
  await hand.do(() => page.click('button:has-text("Create event")'))
  expect(hand.actions).toBeLessThan(40)
  await page.waitForURL(/\/console\/events\/[0-9a-f-]+#ready$/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const event = await bench.call<Event>('GET', `/api/events/${id}`)
  const [stalls, standing] = event.seatTypes
  expect(standing).toMatchObject({ name: 'Standing', totalQuantity: 300, rows: null })
  expect(standing?.area).toHaveLength(4)
  expect(event.shapes).toMatchObject([{ kind: 'stage' }])
  expect(event.shapes[0]?.outline.length).toBeGreaterThan(20)
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

it('[W240] shapes are drawn, named, bent, snapped, typed and undone; a picture lies under them and is never sent', async () => {
  const page = await bench.signIn('/console/new')
  await page.fill('input[name=name]', 'A hall with a bar')
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.postData() ?? ''}`))
  const picture = await page.screenshot({ type: 'png', clip: { x: 0, y: 0, width: 40, height: 20 } })
  await page.setInputFiles('input[name=plan-picture]', { name: 'hall.png', mimeType: 'image/png', buffer: picture })
  const traced = page.locator('.plan .tracing')
  await traced.waitFor()
  await page.fill('input[name=picture-width]', '400')
  expect(await traced.getAttribute('height')).toBe('200')

  const hand = new Hand(page)
  await page.check('input[name=tool][value=other]')
  await hand.drag([0.1, 0.5], [0.2, 0.9])
  // What is drawn is chosen, and the next press moves.
  expect(await page.locator('input[name=tool][value=select]').isChecked()).toBe(true)
  await page.fill('input[name=piece-label]', 'Bar')
  await page.getByRole('button', { name: 'Add corner' }).click()
  expect(await page.locator('.plan .corner').count()).toBe(5)
  const shape = page.locator('.plan .piece.other polygon')
  const points = async (): Promise<number[][]> =>
    ((await shape.getAttribute('points')) ?? '').split(' ').map((corner) => corner.split(',').map(Number))
  const before = await points()
  await page.locator('.plan .corner').first().hover()
  await page.mouse.down()
  const box = await page.locator('.plan').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 40, { steps: 3 })
  await page.mouse.up()
  const after = await points()
  expect(after.slice(1)).toEqual(before.slice(1))
  expect(after[0]).not.toEqual(before[0])
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await points()).toEqual(before)

  await page.focus('.plan')
  await page.keyboard.press('Control+d')
  expect(await page.locator('.plan .piece.other').count()).toBe(2)
  await page.keyboard.press('Delete')
  expect(await page.locator('.plan .piece.other').count()).toBe(1)
  await page.click('summary:has-text("Shapes")')
  await page.locator('.row-list input[name=piece-x]').fill('-300')
  expect(Math.min(...(await points()).map(([x = 0]) => x))).toBe(-300)
  await page.click('button:has-text("Create event")')
  await page.waitForURL(/\/console\/events\/[0-9a-f-]+#ready$/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const event = await bench.call<Event>('GET', `/api/events/${id}`)
  expect(event.shapes).toMatchObject([{ kind: 'other', label: 'Bar' }])
  expect(sent.join('')).not.toContain('data:image')
})

it('[W79][W240] a plan with shapes is saved as a file and drawn again from it', async () => {
  const page = await bench.signIn('/console/new')
  await page.selectOption('select[name=ready-plan]', 'club')
  await page.click('text=Use this plan')
  const pieces = () =>
    page.locator('.plan .piece polygon').evaluateAll((all) => all.map((one) => one.getAttribute('points')))
  const drawn = await pieces()
  expect(drawn).toHaveLength(2)
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Export plan')])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
  await page.selectOption('select[name=ready-plan]', 'cinema')
  await page.click('text=Use this plan')
  expect(await pieces()).not.toEqual(drawn)
  const file = { name: 'plan.json', mimeType: 'application/json', buffer: Buffer.concat(chunks) }
  await page.setInputFiles('.file input[accept*=json]', file)
  await page.getByText('Imported.').waitFor()
  expect(await pieces()).toEqual(drawn)
})
