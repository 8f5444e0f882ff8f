import { LANGUAGES } from '@seatwise/web'
import { beforeAll, expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench, HOSTILE, PASSWORD, type Person } from './operator.ts'

let owner: Person
let base: string
beforeAll(async () => {
  const made = await bench.register('Olga', 'organizer')
  // The new role ended the session.
  const body = { email: made.email, password: PASSWORD }
  const { accessToken } = await bench.call<{ accessToken: string }>('POST', '/api/auth/login', { body })
  owner = { ...made, token: accessToken }
  type Listed = { items: { id: string; name: string }[] }
  const { items } = await bench.call<Listed>('GET', '/api/organizations', { token: owner.token })
  base = `/console/organizations/${items[0]?.id}`
})

it('[W186][W187] the team and the keys are managed without a script, by keyboard', async () => {
  const page = await bench.known(owner, { javaScriptEnabled: false })
  await page.goto(`${base}/team`)
  await page.fill('input[name=email]', 'grace@example.com')
  await page.locator('form:has(input[name=email]) select').selectOption('door')
  await page.press('input[name=email]', 'Enter')
  await page.waitForSelector('.notice.good >> text=on its way')
  await page.click('a:has-text("API keys")')
  await page.fill('input[name=name]', HOSTILE)
  await page.press('input[name=name]', 'Enter')
  expect(await page.inputValue('input[readonly]')).toMatch(/^swk_\w{38}$/)
  await page.click('a:has-text("I have saved it")')
  await page.focus('summary')
  await page.keyboard.press('Enter')
  await page.click('button:has-text("Revoke it now")')
  await page.waitForSelector('.notice.good >> text=The key is revoked.')
})

it('[W75][W76] axe finds nothing on the pages of an organization, and they fit 320 px, in every language', async () => {
  await bench.call('POST', `/api/organizations/${base.split('/').at(-1)}/members`, {
    token: owner.token,
    body: { email: 'a-rather-long-address-of-a-member@organisation.example.com', role: 'viewer' },
  })
  const site = { name: 'Drop', target: 'https://shop.example.com/' }
  const room = await bench.call<{ id: string }>('POST', '/api/rooms', { token: owner.token, body: site })
  const webhook = await bench.call<{ id: string }>('POST', '/api/webhooks', {
    token: owner.token,
    body: { url: 'https://hooks.example.com/a-rather-long-path-of-a-webhook/of-this-organization' },
  })
  const more = [`/console/webhooks/${webhook.id}`, `/console/rooms/${room.id}/site`]
  const page = await bench.known(owner, { viewport: { width: 320, height: 640 } })
  for (const path of [base, `${base}/team`, `${base}/keys`, `${base}/webhooks`, ...more]) {
    for (const language of LANGUAGES) {
      await page.goto(`${path}?lang=${language}`)
      await page.locator('summary').evaluateAll((all) => {
        for (const one of all) (one as HTMLElement).click()
      })
      expect({ path, language, wide: await page.evaluate(() => document.documentElement.scrollWidth) }).toEqual({
        ...{ path, language },
        wide: 320,
      })
      const found = await axeFindings(page)
      expect({ path, language, found }).toEqual({ path, language, found: [] })
    }
  }
})
