import type { PageStage } from './page-stage.ts'

/** Chrome's own "slow 3G", and a processor of a cheap phone. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const SLOWER = 6
const ROWS = 30
const PER_ROW = 40

export interface SlowSeats {
  readonly seats: number
  /** From asking for the page until a seat can be chosen. */
  readonly usableMs: number
  /** What was loaded on the way, from when to when. */
  readonly steps: readonly {
    readonly name: string
    readonly from: number
    readonly to: number
    readonly bytes: number
  }[]
}

/** A visitor whose turn it is opens the seats on a slow phone; the waiting page was there for some seconds. */
export async function measureSlowSeats(stage: PageStage): Promise<SlowSeats> {
  const { id } = await stage.operate('POST', '/api/events', hall())
  const context = await stage.browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  await page.goto(`${stage.url}/events/${String(id)}/wait`)
  await page.locator('[data-state=turn]').waitFor()
  // Letters come two seconds after the waiting page stands.
  await page.waitForFunction(() => document.fonts.check('16px "Seatwise Text"') && document.fonts.size > 3)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_3G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => performance.getEntriesByName('seats-usable').length > 0)
  const { usableMs, steps } = await page.evaluate(() => ({
    usableMs: performance.getEntriesByName('seats-usable')[0]?.startTime ?? 0,
    steps: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => {
      const { name, startTime, responseEnd, transferSize } = entry as PerformanceResourceTiming
      return { name: new URL(name).pathname, from: startTime, to: responseEnd, bytes: transferSize }
    }),
  }))
  await context.close()
  return { seats: ROWS * PER_ROW, usableMs, steps }
}

function hall(): object {
  const rows = Array.from({ length: ROWS }, (_unused, index) => ({
    ...{ label: String(index + 1), seats: PER_ROW, x: 0, y: index, seatPitch: 1 },
  }))
  const open = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
  const seatTypes = [{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows }]
  return {
    name: 'Hall on a slow phone',
    ...open,
    seatTypes,
    room: { guests: true, guestsPerAddress: 1_000, capacity: 50 },
  }
}
