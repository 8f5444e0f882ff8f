import { waitUntil } from '@seatwise/testbench'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { join, look } from './guests.ts'
import { expectAccessible, GUESTS, stage } from './stage.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

it('[W33] [W22] a visitor who was passed over while away is welcomed back at their place, for a while', async () => {
  const room = { ...GUESTS, capacity: 1, paused: true, heartbeatTimeoutSeconds: 2 }
  const event = await stage.event({ name: 'Coming back', totalSeats: 9, room })
  const page = await stage.visitor()
  await page.clock.install()
  // The page comes and nothing is ever heard of it again, as when a phone falls asleep at once.
  const path = `/events/${event.id}/wait`
  const opened = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect(await (await page.request.get(path, { headers: opened })).text()).toContain('Paused by the organiser')
  const leftAt = Date.now()
  const { ticketToken } = await join(event)
  const status = async () => (await look(event, ticketToken)).status
  await waitUntil('the visitor has been away for long', async () => {
    await status()
    return Date.now() - leftAt > 2_300
  })
  await stage.call('PATCH', `/api/events/${event.id}/room`, { paused: false })
  await waitUntil('the next in line goes in', async () => (await status()) === 'admitted')

  await page.goto(path)
  await heading(page, 'Welcome back. Your place was kept.').waitFor()
  await page.getByText('You were away for a while').waitFor()
  expect(await page.locator('.position').textContent()).toBe('1')
  await expectAccessible(page, 'back', 'main')
  await page.clock.fastForward(21_000)
  await heading(page, 'You’re almost there').waitFor()
}, 60_000)
