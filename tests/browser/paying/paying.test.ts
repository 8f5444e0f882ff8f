import { MollieStandIn, openBrowser, type PageStandIn, StripeStandIn, waitUntil } from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { buildPages, type Held, openShop, type Shop } from './shop.ts'

/** Stripe lets a buyer try one card after the other on its page, and lets us close it; Mollie neither. */
const PROVIDERS = [
  { name: 'Stripe', open: () => StripeStandIn.open(), isPatient: true },
  { name: 'Mollie', open: () => MollieStandIn.open(), isPatient: false },
] as const

let browser: Browser
beforeAll(async () => {
  ;[browser] = await Promise.all([openBrowser(), buildPages()])
}, 120_000)
afterEach(async () => void (await Promise.all(browser.contexts().map((context) => context.close()))))
afterAll(() => browser?.close())

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

describe.each(PROVIDERS)('paying through $name', ({ open, isPatient }) => {
  let standIn: PageStandIn
  let shop: Shop
  beforeAll(async () => {
    standIn = await open()
    shop = await openShop(standIn)
  }, 120_000)
  afterAll(async () => {
    await shop?.close()
    await standIn?.close()
  })

  const toProvider = async (page: Page): Promise<void> => {
    await press(page, 'Pay €90.00')
    await heading(page, /^Pay 9?0/)
    expect(page.url()).toContain('/pay/')
  }
  /** On a patient provider's page the next card is tried there, on another's the buyer is back at the checkout. */
  const declined = async (page: Page): Promise<void> => {
    await page.getByText('Your card was declined').waitFor()
    if (!isPatient) await toProvider(page)
  }
  const expectBooks = async (held: Held, kept: { captured: number; refunded: number }) => {
    // The page tells of a refund once the provider has booked it (W51).
    const { id, ...ours } = await shop.purchase(held)
    expect(ours).toMatchObject(kept)
    expect(standIn.books().find(({ purchaseId }) => purchaseId === id)).toMatchObject(kept)
  }

  describe.each([
    ['with script', true],
    ['without script', false],
  ] as const)('%s', (_how, hasScript) => {
    const atCheckout = async (sale = shop.sale(2), seat = 0) => {
      const held = await shop.reserve(await sale, seat)
      return { held, page: await shop.visit(browser, held, hasScript) }
    }

    it('[W14] [W21] [W42] [W43] a bad card, a bank that refuses, a buyer who leaves and comes back, a bank that approves', async () => {
      const { held, page } = await atCheckout()
      await toProvider(page)
      await press(page, 'Pay with a bad card')
      await declined(page)
      await press(page, 'Pay with a card that asks the bank')
      await heading(page, 'Your bank')
      await press(page, 'Refuse')
      await declined(page)
      await press(page, 'Pay with a card that asks the bank')
      // Not one of the provider's ways out: the buyer opens the shop again.
      await page.goto(`/checkout/${held.reservationId}`)
      await page.getByText('Your payment is not finished yet').waitFor()
      if (hasScript) expect(await axeFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'Continue to payment' }).click()
      await press(page, 'Pay with a card that asks the bank')
      await press(page, 'Approve')
      await heading(page, 'Your seat is booked')
      await expectBooks(held, { captured: 9_000, refunded: 0 })
    }, 90_000)

    it('[W42] [B72] the provider’s own way back, and ours: the seat is still held, and a good card pays for it', async () => {
      const { held, page } = await atCheckout()
      await toProvider(page)
      await press(page, 'Back to the shop')
      await heading(page, 'Checkout')
      if (isPatient) await press(page, 'Cancel this payment')
      await page.getByText('The payment was not finished. You have not been charged').waitFor()
      await toProvider(page)
      await press(page, 'Pay by card')
      await heading(page, 'Your seat is booked')
      await expectBooks(held, { captured: 9_000, refunded: 0 })
    }, 90_000)

    it('[W42] [B71] the hold ends while the buyer is on the page: it is closed, or takes late money', async () => {
      const { held, page } = await atCheckout()
      await toProvider(page)
      await shop.endHold(held)
      if (!isPatient) return await expectLateMoney(page, held)
      await waitUntil('the page is closed', async () => (await shop.purchase(held)).status === 'DECLINED')
      await press(page, 'Pay by card')
      await page.getByText('This page has expired').waitFor()
      await page.goto(`/checkout/${held.reservationId}`)
      await heading(page, 'Your reservation has expired')
      await page.getByText('You have not been charged').waitFor()
      await expectBooks(held, { captured: 0, refunded: 0 })
    }, 90_000)

    async function expectLateMoney(page: Page, held: Held): Promise<void> {
      await press(page, 'Pay by card')
      await heading(page, 'Your seat is booked')
      await expectBooks(held, { captured: 9_000, refunded: 0 })
    }

    it('[B31] [W42] money that comes late: the same seat, an equal one, or a refund', async () => {
      const [wide, narrow] = await Promise.all([shop.sale(3), shop.sale(1)])
      const [same, equal, none] = await Promise.all([
        atCheckout(shop.sale(1)),
        atCheckout(Promise.resolve(wide)),
        atCheckout(Promise.resolve(narrow)),
      ])
      const all = [same, equal, none]
      for (const { page } of all) await toProvider(page)
      // The provider's API cannot be reached when the holds end, so that nothing closes its pages.
      standIn.isAway = true
      for (const { held } of all) await shop.endHold(held)
      await Promise.all([shop.reserve(wide), shop.reserve(narrow)])
      for (const { page } of all) await press(page, 'Pay by card')
      for (const { page } of all)
        await page.getByText('Your reservation expired before the payment was finished').waitFor()
      standIn.isAway = false
      await heading(same.page, 'Your seat is booked')
      await heading(equal.page, 'Your seat is booked')
      expect(await equal.page.textContent('main')).toMatch(/seat [23]/i)
      await none.page.getByText('It was refunded in full').waitFor()
      await expectBooks(same.held, { captured: 9_000, refunded: 0 })
      await expectBooks(equal.held, { captured: 9_000, refunded: 0 })
      await expectBooks(none.held, { captured: 9_000, refunded: 9_000 })
    }, 120_000)
  })
})
