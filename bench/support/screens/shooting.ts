import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { PageStage } from '../page-stage.ts'
import { makeSmall } from './small-png.ts'

export const SCREENS = join(import.meta.dirname, '../../../docs/screens')

/** Somebody with a device, of whose pages pictures are taken. */
export class Shooting {
  readonly stage: PageStage
  readonly page: Page
  readonly #device: string
  readonly #options: BrowserContextOptions

  static async open(stage: PageStage, device: string, options: BrowserContextOptions): Promise<Shooting> {
    // Far from the venue, so that pages have to say whose time it is.
    const place = { locale: 'en-GB', timezoneId: 'Europe/Berlin' }
    const whole = { baseURL: stage.url, ...place, reducedMotion: 'reduce', ...options } as const
    const context = await stage.browser.newContext(whole)
    context.setDefaultTimeout(20_000)
    return new Shooting(stage, await context.newPage(), device, whole)
  }

  constructor(stage: PageStage, page: Page, device: string, options: BrowserContextOptions) {
    this.stage = stage
    this.page = page
    this.#device = device
    this.#options = options
  }

  /** Somebody else with the same kind of device. */
  async other(options: BrowserContextOptions = {}): Promise<Shooting> {
    return await Shooting.open(this.stage, this.#device, { ...this.#options, ...options })
  }

  /** From the top of the page, unless somebody scrolled on purpose. */
  async show(name: string, from: 'top' | 'here' = 'top'): Promise<void> {
    if (from === 'top') await this.page.evaluate(() => scrollTo(0, 0))
    // Nothing blinks in a picture.
    const png = await this.page.screenshot({ caret: 'hide', animations: 'disabled' })
    await writeFile(join(SCREENS, `${name}-${this.#device}.png`), makeSmall(png))
  }

  async visit(name: string, path: string, until: string): Promise<void> {
    await this.page.goto(path)
    // Some of what a page is about is not drawn on small screens.
    await this.page.locator(until).first().waitFor({ state: 'attached' })
    await this.show(name)
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
