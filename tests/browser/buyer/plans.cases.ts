import { seededRandom, testSeed } from '@seatwise/testbench'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { GUESTS, stage } from './stage.ts'

interface Row {
  readonly label: string
  readonly seats: number
  readonly x: number
  readonly y: number
  readonly seatPitch: number
}

const FAR = 100_000
const row = (label: string, seats: number, x: number, y: number, seatPitch = 1): Row => ({
  ...{ label, seats, x, y, seatPitch },
})

/** Plans on the edge of what the API accepts, and random ones. */
function plansOf(random: () => number): Record<string, readonly Row[]> {
  const coordinate = () =>
    [0, FAR, -FAR, (random() - 0.5) * 2 * FAR, (random() - 0.5) * 40][Math.floor(random() * 5)] ?? 0
  const anyRow = (index: number) =>
    row(`R${index}`, 1 + Math.floor(random() * 40), coordinate(), coordinate(), coordinate())
  const anyPlan = () => Array.from({ length: 1 + Math.floor(random() * 20) }, (_unused, index) => anyRow(index))
  return {
    'one seat at 0': [row('A', 1, 0, 0)],
    'a hall and one seat in each far corner': [
      ...Array.from({ length: 20 }, (_unused, index) => row(`H${index}`, 20, 0, index)),
      ...[-FAR, FAR].flatMap((x) => [-FAR, FAR].map((y) => row(`${x} ${y}`, 1, x, y))),
    ],
    'all seats in one point': [row('A', 500, 3, 3, 0)],
    'a huge pitch': [row('A', 5_000, -FAR, 0, FAR)],
    '20,000 seats': Array.from({ length: 100 }, (_unused, index) => row(`R${index}`, 200, 0, index)),
    'random 1': anyPlan(),
    'random 2': anyPlan(),
  }
}

/** A page that looks up this often in one turn of its loop walks over empty space: 20,000 seats need a tenth of it. */
const STEPS_MAX = 2_000_000

/** Counts what the map does between two turns of the loop, and stops a page that would never come to the next. */
function boundSteps(stepsMax: number): void {
  const { get } = Map.prototype
  let steps = 0
  Map.prototype.get = function (key) {
    steps += 1
    if (steps === 1) queueMicrotask(() => setTimeout(() => (steps = 0)))
    if (steps > stepsMax) throw new Error(`More than ${stepsMax} steps in one turn`)
    return get.call(this, key)
  }
}

/** So many frames were drawn: the loop of the page goes round. */
const seeFrames = (page: Page, count: number): Promise<number> =>
  page.evaluate(
    (frames) =>
      new Promise<number>((resolve) => {
        let seen = 0
        const next = (): void => {
          seen += 1
          if (seen === frames) resolve(seen)
          else requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
    count,
  )

it('[W37] the seat map becomes usable and stays so with every plan that is accepted', async () => {
  const plans = plansOf(seededRandom(testSeed()))
  const page = await stage.visitor()
  await page.addInitScript(boundSteps, STEPS_MAX)
  for (const [name, rows] of Object.entries(plans)) {
    const seatTypes = [{ name: 'Stalls', price: 100, currency: 'EUR', reservedSeating: true, rows }]
    const room = { ...GUESTS, capacity: 10, stockAware: false }
    const event = await stage.event({ name, seatTypes, room })
    await page.goto(`/events/${event.id}/wait`)
    await page.getByRole('heading', { level: 1, name: 'It’s your turn' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/seats')
    const map = page.getByRole('application')
    await map.waitFor()
    expect(await seeFrames(page, 3), name).toBe(3)
    // Far in, across, and out again: every kind of view.
    for (const press of ['Zoom in', 'Zoom in', 'Full map']) await page.getByRole('button', { name: press }).click()
    await map.hover({ position: { x: 40, y: 40 } })
    await page.mouse.down()
    await page.mouse.move(200, 200, { steps: 3 })
    await page.mouse.up()
    expect(await seeFrames(page, 3), name).toBe(3)
    await map.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.locator('.chip').waitFor()
    expect(await page.locator('.chip').count(), name).toBe(1)
  }
}, 120_000)
