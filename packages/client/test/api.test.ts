import { expect, it } from 'vitest'
import { platform } from '../src/device/environment.ts'
import { createKept } from '../src/device/kept.ts'
import { createApi } from '../src/network/api.ts'

const NOON = Date.parse('2026-11-15T12:00:00.000Z')

/** Asks a server with a clock that is `aheadMs` ahead and with slow answers. */
function ask(now: { ms: number }, options: { accessToken?: string } = {}) {
  const answers: { aheadMs: number; tookMs: number; answer?: Response }[] = []
  const fetch = async () => {
    const { aheadMs, tookMs, answer } = answers.shift() ?? { aheadMs: 0, tookMs: 0 }
    const date = new Date(now.ms + aheadMs).toUTCString()
    now.ms += tookMs
    return answer ?? new Response('{}', { headers: { date } })
  }
  const environment = { ...platform(), fetch, now: () => now.ms }
  const kept = createKept(null, 'test')
  return { answers, kept, api: createApi({ eventId: '1', ...options }, 'http://site.test', kept, environment) }
}

it('[K12] the fastest of the last answers tells the difference of the clocks, rather early than late', async () => {
  const now = { ms: NOON }
  const { answers, api } = ask(now)
  for (const tookMs of [3_000, 40, 10_000, 700]) {
    answers.push({ aheadMs: 3_600_000, tookMs })
    await api.send('GET', '/')
    now.ms += 1_337
  }
  // Whole seconds leave half a second of doubt in both directions.
  expect(Math.abs(api.skewMs() - 3_600_000)).toBeLessThan(600)
  // A clock that was set right is believed after a few answers.
  for (let count = 0; count < 8; count++) {
    answers.push({ aheadMs: 0, tookMs: 10 })
    await api.send('GET', '/')
    now.ms += 1_337
  }
  expect(Math.abs(api.skewMs())).toBeLessThan(600)
})

it('[K8] an answer of another server, half an answer and none at all mean that nothing is known', async () => {
  const { answers, api } = ask({ ms: NOON })
  answers.push({ aheadMs: 0, tookMs: 0, answer: new Response('<html>Sign in to the hotel') })
  await expect(api.send('GET', '/')).rejects.toMatchObject({ code: 'UNREACHABLE', status: 0 })
  answers.push({ aheadMs: 0, tookMs: 0, answer: new Response('Bad gateway', { status: 502 }) })
  await expect(api.send('GET', '/')).rejects.toMatchObject({ code: 'UNREACHABLE', status: 0 })
})

it('[A39] tokens that an answer renews are kept and sent from then on, unless others have taken their place', async () => {
  const { answers, kept, api } = ask({ ms: NOON })
  const headers = { 'seatwise-renewed-ticket': 'new ticket', 'seatwise-renewed-access': 'new access' }
  const renewing = () => answers.push({ aheadMs: 0, tookMs: 0, answer: new Response('{}', { headers }) })
  kept.write({ ticketToken: 'old ticket', accessToken: 'old access' })
  renewing()
  await api.send('GET', '/')
  expect(kept.read()).toMatchObject({ ticketToken: 'new ticket', accessToken: 'new access' })
  // The place moved to this device while the answer was on its way.
  renewing()
  const late = api.send('GET', '/')
  kept.write({ ticketToken: 'another ticket', accessToken: 'another access' })
  await late
  expect(kept.read()).toMatchObject({ ticketToken: 'another ticket', accessToken: 'another access' })
})

it('[A39] the token of an account, which the site itself keeps, is not kept a second time', async () => {
  const { answers, kept, api } = ask({ ms: NOON }, { accessToken: 'of an account' })
  const headers = { 'seatwise-renewed-access': 'of an account, renewed' }
  answers.push({ aheadMs: 0, tookMs: 0, answer: new Response('{}', { headers }) })
  await api.send('GET', '/')
  expect(kept.read().accessToken).toBeUndefined()
})
