import { type House, openBrowser, openHouse, seededRandom, testSeed, waitUntil } from '@seatwise/testbench'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildClient, Device, type Tab } from './devices.ts'

let house: House
let browser: Browser
let client: string
beforeAll(async () => {
  ;[house, browser, client] = await Promise.all([openHouse(), openBrowser(), buildClient()])
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const devices: Device[] = []
afterEach(async () => {
  for (const device of devices.splice(0)) await device.context.close()
})

async function openDevice(): Promise<Device> {
  const device = await Device.open(browser, house.url, client)
  devices.push(device)
  return device
}

/** No visitor is admitted until the test says so; polls come about once a second, so that they are seen soon. */
const CLOSED = { capacity: 1, ratePerMinute: 6_000, heartbeatTimeoutSeconds: 3, graceSeconds: 300, paused: true }

it('[K17] two browsers with two tabs each: one poller for each browser, and both its tabs know the same', async () => {
  // So short a time makes them ask twice a second; while the line is paused no visitor is passed over for being late.
  const sale = await house.openSale({ ...CLOSED, heartbeatTimeoutSeconds: 1 })
  const options = { eventId: sale.eventId, push: 'off' }
  const pairs: { device: Device; tabs: [Tab, Tab] }[] = []
  for (let index = 0; index < 2; index++) {
    const device = await openDevice()
    const tabs = await Promise.all([device.openTab(), device.openTab()])
    await tabs[0].join(options)
    await tabs[1].resume(options)
    pairs.push({ device, tabs })
  }
  const [first, second] = pairs
  if (first === undefined || second === undefined) throw new Error('There must be two browsers')
  const [here, there] = await Promise.all(pairs.map(({ tabs }) => tabs[0].state()))
  expect(here?.ticketId).not.toBe(there?.ticketId)

  const asked = pairs.map(({ device, tabs }) => tabs.map((tab) => device.polls(tab)))
  await waitUntil('the tabs that lead have asked', () =>
    pairs.every(({ device, tabs }, index) => device.polls(tabs[1]) >= Number(asked[index]?.[1]) + 3),
  )
  expect(pairs.map(({ device, tabs }) => device.polls(tabs[0]))).toEqual(asked.map(([other]) => other))
  // The first in line goes in, and both tabs hear of it though one of them asks.
  await sale.change({ paused: false, heartbeatTimeoutSeconds: 3 })
  await Promise.all(first.tabs.map((tab) => tab.until('admitted')))
  // Both tabs share their state; when the tab that polls is closed, the other one polls.
  await first.tabs[0].call('claim()')
  await first.tabs[1].until('active')
  await second.tabs[1].page.close()
  const before = second.device.polls(second.tabs[0])
  await waitUntil('the other tab asks', () => second.device.polls(second.tabs[0]) >= before + 2)
  expect(await second.tabs[0].state()).toMatchObject({ status: 'waiting', reach: 'ok', ticketId: there?.ticketId })
})

it('[K16] [K20] a reload finds the place again, also where storage is forbidden', async () => {
  const sale = await house.openSale(CLOSED)
  const options = { eventId: sale.eventId }
  for (const isForbidden of [false, true]) {
    const device = await openDevice()
    if (isForbidden) {
      await device.context.addInitScript(
        `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
      )
    }
    const tab = await device.openTab()
    expect(await tab.resume(options)).toBeNull()
    const joined = await tab.join(options)
    await tab.page.reload()
    await tab.loaded()
    expect(await tab.resume(options)).toMatchObject({ status: 'waiting', ticketId: joined.ticketId })
    // Joining again as the same guest, too.
    expect(await tab.join(options)).toMatchObject({ ticketId: joined.ticketId })
  }
})

it('[K21] from laptop to phone by a code: every tab of the laptop knows, and the phone goes in', async () => {
  const sale = await house.openSale(CLOSED)
  const options = { eventId: sale.eventId }
  const [laptop, phone] = [await openDevice(), await openDevice()]
  const tabs = [await laptop.openTab(), await laptop.openTab()]
  const joined = await tabs[0]?.join(options)
  await tabs[1]?.resume(options)
  const handOver = await tabs[0]?.call<{ code: string }>('handOver()')
  const other = await phone.openTab()
  expect(await other.accept({ ...options, code: handOver?.code })).toMatchObject({
    ...{ status: 'waiting', ticketId: joined?.ticketId, rank: 0 },
  })
  await Promise.all(tabs.map((tab) => tab.until('moved')))
  await sale.change({ paused: false })
  await other.until('admitted')
  expect(await other.call('claim()')).toMatchObject({ status: 'active' })
  const after = laptop.polls()
  await other.call('complete()')
  expect(laptop.polls()).toBe(after)
})

it('[K7] a hidden tab sends heartbeats only, and catches up on return', async () => {
  const sale = await house.openSale({ ...CLOSED, heartbeatTimeoutSeconds: 90 })
  const device = await openDevice()
  const tab = await device.openTab()
  await tab.page.clock.install()
  await tab.join({ eventId: sale.eventId, push: 'off' })
  // How often the room needs heartbeats is asked once, hidden or not.
  await waitUntil('it knows the room', async () => (await tab.state()).room !== null)
  // From here on a slow machine does not make it later.
  await tab.page.clock.pauseAt(Date.now() + 60_000)
  await tab.passTime(1)
  const show = (state: string) =>
    tab.page.evaluate<number>(`(() => {
      const before = asked.length
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
      return before
    })()`)
  const before = await show('hidden')
  await tab.passTime(60)
  const hidden = (await tab.asked()).slice(before)
  expect(hidden.filter((url) => !url.endsWith('/queue/status'))).toEqual([])
  expect(hidden.length).toBeGreaterThan(2)
  expect(hidden.length).toBeLessThan(9)
  await sale.change({ paused: false })
  const onReturn = await show('visible')
  await waitUntil('it asked', async () => (await tab.asked()).length > onReturn)
  await waitUntil('it is told', async () => {
    await tab.passTime(1)
    return (await tab.state()).status === 'admitted'
  })
})

it('[K19] a minute without a network: the place is kept, said to be offline, and caught up with', async () => {
  const sale = await house.openSale({ ...CLOSED, heartbeatTimeoutSeconds: 90 })
  const device = await openDevice()
  const tab = await device.openTab()
  await tab.page.clock.install()
  const joined = await tab.join({ eventId: sale.eventId })
  await device.context.setOffline(true)
  await waitUntil('it knows', async () => (await tab.state()).reach === 'offline')
  await tab.passTime(60)
  expect(await tab.state()).toMatchObject({ status: 'waiting', reach: 'offline', position: 1 })
  // Meanwhile its turn came.
  await sale.change({ paused: false })
  await device.context.setOffline(false)
  await waitUntil('it is back', async () => {
    await tab.passTime(1)
    const { status, reach } = await tab.state()
    return status === 'admitted' && reach === 'ok'
  })
  expect((await tab.state()).ticketId).toBe(joined.ticketId)
})

it.each([0.3, 1])('[K13] with %f of all push messages lost every tab ends in the right state', async (share) => {
  const random = seededRandom(testSeed())
  const sale = await house.openSale(CLOSED)
  const all: Tab[] = []
  for (let index = 0; index < 3; index++) {
    const device = await openDevice()
    await device.context.routeWebSocket(/realtime$/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        if (random() >= share) socket.send(message)
      })
    })
    const tab = await device.openTab()
    await tab.join({ eventId: sale.eventId })
    all.push(tab)
  }
  await sale.change({ paused: false })
  for (const tab of all) {
    await tab.until('admitted')
    await tab.call('claim()')
    await tab.call('complete()')
    expect(await tab.state()).toMatchObject({ status: 'completed' })
  }
})

it('[K22] a guest buys by cookies alone: no script sees a token, and no address has one', async () => {
  const sale = await house.openSale({ ...CLOSED, paused: false })
  const device = await openDevice()
  const tab = await device.openTab()
  let tokens: string[] = []
  tab.page.on('response', async (response) => {
    if (!response.url().endsWith('/queue/join')) return
    const { ticketToken, accessToken } = await response.json()
    tokens = [ticketToken, accessToken]
  })
  await tab.join({ eventId: sale.eventId })
  await tab.until('admitted')
  await tab.call('claim()')
  const reservation = await tab.call<{ id: string }>(`reserve({ seatTypeId: '${sale.seatTypeId}', quantity: 2 })`)
  await tab.call(`setAddressee('${reservation.id}', { email: 'linh@example.com' })`)
  expect(await tab.call(`pay('${reservation.id}')`)).toMatchObject({ status: 'PAID' })
  expect(tokens.map((token) => token.length > 50)).toEqual([true, true])
  const seenByScripts = await tab.page.evaluate<string>('JSON.stringify(localStorage) + document.cookie')
  const addresses = device.requests.map(({ url }) => url).join(' ')
  for (const token of tokens) {
    expect(seenByScripts).not.toContain(token)
    expect(addresses).not.toContain(token)
  }
})
