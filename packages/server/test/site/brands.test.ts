import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, registerWithRole, signInHeader, type Visitor } from '../support/accounts.ts'
import { post, shortEvent, type WireEvent } from '../support/events.ts'

type Server = Awaited<ReturnType<typeof openTestApp>>

/** As long as a server may keep a brand without asking again. */
const BRAND_AGE_MS_MAX = 5_000

let ledger: Ledger
let servers: Server[]
let organizer: Visitor
let event: WireEvent
beforeAll(async () => {
  ledger = await openScratchLedger()
  const secrets = [Buffer.alloc(32, 7)]
  servers = []
  for (let index = 0; index < 2; index += 1) {
    servers.push(await openTestApp(ledger, { secrets, env: { SEATWISE_RATE_LIMITS: 'off' } }))
  }
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  organizer = await registerWithRole(first.app, ledger, 'organizer')
  event = (await post(first.app, organizer.authorization, shortEvent())).json<WireEvent>()
})
afterAll(async () => {
  for (const { app, services } of servers) {
    await app.close()
    await services.rooms.close()
  }
  await ledger.close()
})

const path = () => `/api/events/${event.id}`
/** The colour as the API and the page show it. */
async function coloursOn({ app }: Server): Promise<{ told: unknown; page: boolean }> {
  const told = (await app.inject(`${path()}/brand`)).json<{ colour: string | null }>().colour
  const page = (await app.inject(`/events/${event.id}`)).body
  return { told, page: page.includes('<style>') }
}

it('[W39] a changed brand applies at once on the server that took it, and on others when their copy is 5 s old', async () => {
  const [here, there] = servers as [Server, Server]
  const change = async (colour: string | null) => {
    const headers = { authorization: await signInHeader(here.app, organizer.email) }
    const payload = { colour, logo: null, text: null }
    const answer = await here.app.inject({ method: 'PUT', url: `${path()}/brand`, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  // Both have seen it plain.
  for (const server of servers) expect(await coloursOn(server)).toEqual({ told: null, page: false })
  for (const colour of ['#336699', '#993366', null]) {
    await change(colour)
    expect(await coloursOn(here)).toEqual({ told: colour, page: colour !== null })
    there.services.clock.nowMs += BRAND_AGE_MS_MAX
    expect(await coloursOn(there)).toEqual({ told: colour, page: colour !== null })
    here.services.clock.nowMs += BRAND_AGE_MS_MAX
    expect(await coloursOn(here)).toEqual({ told: colour, page: colour !== null })
  }
})
