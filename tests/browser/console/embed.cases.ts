import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench } from './operator.ts'

it('[W314] on another site a link becomes a button that says what is left, and follows the sale', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  const { url } = bench.server
  const snippet = inThePaper().replaceAll('https://tickets.example.com', url).replaceAll('EVENT_ID', id)
  bench.site.page = `<!doctype html><html lang="en"><title>A club</title><main><h1>A club</h1>${snippet}</main></html>`
  const page = await bench.newPage()
  await page.goto(bench.site.url)
  const button = page.getByRole('link', { name: 'Buy tickets' })
  await button.waitFor()
  await page.getByText('Tickets left: 50').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await bench.call('PATCH', `/api/events/${id}/room`, { token: bench.admin, body: { paused: true } })
  await page.getByRole('link', { name: 'Join the line' }).waitFor()
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.getByRole('link', { name: 'Join the line' }).click()
  await page.waitForURL(`${url}/events/${id}`)

  // The link is there without the script, and where the site is not listed.
  const plain = await bench.newPage({ javaScriptEnabled: false })
  await plain.goto(bench.site.url)
  await plain.getByRole('link', { name: 'Tickets' }).click()
  await plain.waitForURL(`${url}/events/${id}`)
})

/** What organisers are told to copy. */
function inThePaper(): string {
  const paper = readFileSync(new URL('../../../docs/embed.md', import.meta.url), 'utf8')
  const [, snippet] = /```html\n([\s\S]*?)```/.exec(paper) ?? []
  if (snippet === undefined) throw new Error('docs/embed.md shows no HTML')
  return snippet
}
