import type { PageStage } from './page-stage.ts'

export interface Frames {
  readonly seats: number
  readonly loadMs: number
  /** From one frame to the next. */
  readonly frames: readonly number[]
  /** The 99th percentile of what our own drawing takes in a frame. */
  readonly script: number
}

const SEATS = 20_000
const PER_ROW = 200
const GESTURE_FRAMES = 240

/** Zooms and moves a map of 20,000 seats, step by step as a hand would, and notes the time of every frame. */
export async function measureMap(stage: PageStage): Promise<Frames> {
  const event = await stage.operate('POST', '/api/events', arena())
  const context = await stage.browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${stage.url}/events/${String(event.id)}/wait`)
  await page.getByRole('button', { name: 'Go in' }).click()
  const startedAt = performance.now()
  await page.getByRole('application').waitFor()
  const loadMs = performance.now() - startedAt
  const { frames, draws } = await page.evaluate(moveAbout, GESTURE_FRAMES)
  await context.close()
  const sorted = draws.toSorted((one, other) => one - other)
  return { seats: SEATS, loadMs, frames, script: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

/** Runs in the page. A wheel turned in and out and a drag across the whole map, one step a frame. */
async function moveAbout(steps: number): Promise<{ frames: number[]; draws: number[] }> {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas[role=application]')
  if (canvas === null) throw new Error('There is no map')
  const { left, top, width, height } = canvas.getBoundingClientRect()
  const at = (x: number, y: number) => ({ clientX: left + width * x, clientY: top + height * y, bubbles: true })
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const pointer = (type: string, x: number, y: number) =>
    canvas.dispatchEvent(new PointerEvent(type, { ...at(x, y), pointerId: 1, isPrimary: true }))
  canvas.setPointerCapture = () => {}
  const frames: number[] = []
  const draws: number[] = []
  let before = await frame()
  pointer('pointerdown', 0.5, 0.5)
  for (let step = 0; step < steps; step += 1) {
    const share = step / steps
    const turn = Math.sin(share * 4 * Math.PI)
    canvas.dispatchEvent(new WheelEvent('wheel', { ...at(0.5, 0.5), deltaY: -60 * turn, cancelable: true }))
    pointer('pointermove', 0.5 + 0.4 * Math.sin(share * 6 * Math.PI), 0.5 + 0.4 * Math.cos(share * 6 * Math.PI))
    const now = await frame()
    // Our drawing was asked for before this callback: it has run in this very frame.
    draws.push(performance.now() - now)
    frames.push(now - before)
    before = now
  }
  pointer('pointerup', 0.5, 0.5)
  return { frames, draws }
}

function arena(): object {
  const rows = Array.from({ length: SEATS / PER_ROW }, (_unused, index) => ({
    ...{ label: String(index + 1), seats: PER_ROW, x: -PER_ROW / 2, y: index, seatPitch: 1 },
  }))
  const quarter = rows.length / 4
  const seatTypes = ['Front', 'Middle', 'Back', 'Gallery'].map((name, index) => ({
    ...{ name, price: 9_000 - index * 1_500, currency: 'EUR', reservedSeating: true },
    rows: rows.slice(index * quarter, (index + 1) * quarter),
  }))
  const open = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
  return { name: 'Arena', ...open, seatTypes, room: { guests: true, guestsPerAddress: 1_000 } }
}
