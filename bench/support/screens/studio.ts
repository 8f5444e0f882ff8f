import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { PageStage } from '../page-stage.ts'
import { makeSmall } from './small-png.ts'

export const SCREENS = join(import.meta.dirname, '../../../docs/screens')

const DEVICES = {
  desk: { viewport: { width: 1000, height: 760 }, colorScheme: 'light' },
  operator: { viewport: { width: 1240, height: 800 }, colorScheme: 'light' },
  phone: { viewport: { width: 390, height: 780 }, colorScheme: 'dark', hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

/** One server with its sales, and the devices on which pictures of its pages are taken. */
export class Studio {
  readonly stage: PageStage
  readonly #drawn: Set<string>

  constructor(stage: PageStage, drawn: Set<string>) {
    this.stage = stage
    this.#drawn = drawn
  }

  async open(device: keyof typeof DEVICES, options: BrowserContextOptions = {}): Promise<Device> {
    const context = await this.stage.browser.newContext({
      // Far from the venue, so that pages have to name the time zone.
      ...{ baseURL: this.stage.url, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
      ...{ ...DEVICES[device], ...options },
    })
    context.setDefaultTimeout(20_000)
    return new Device(await context.newPage(), this.#drawn)
  }
}

/** A visitor's or operator's browser. */
export class Device {
  readonly page: Page
  readonly #drawn: Set<string>

  constructor(page: Page, drawn: Set<string>) {
    this.page = page
    this.#drawn = drawn
  }

  /** From the top of the page, unless the caller scrolled on purpose. */
  async draw(name: string, from: 'top' | 'here' = 'top'): Promise<void> {
    if (from === 'top') await this.page.evaluate(() => scrollTo(0, 0))
    // Nothing blinks in a picture.
    const png = await this.page.screenshot({ caret: 'hide', animations: 'disabled' })
    await writeFile(join(SCREENS, `${name}.png`), makeSmall(png))
    this.#drawn.add(`${name}.png`)
  }

  async visit(name: string, path: string, until: string): Promise<void> {
    await this.page.goto(path)
    // Some parts of a page are not drawn on small screens.
    await this.page.locator(until).first().waitFor({ state: 'attached' })
    await this.draw(name)
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).first().click()
  }

  /** Until the waiting page shows a state. */
  async state(name: string): Promise<void> {
    await this.page.locator(`[data-state=${name}]`).waitFor()
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
