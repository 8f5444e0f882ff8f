import { SeatwiseError } from '@seatwise/domain'
import { openScratchLedger } from '@seatwise/testbench'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createSlowRefusals } from '../../src/http/slow-refusals.ts'
import { expectError, openKernel } from '../support/kernel.ts'

it('[O55] [I26] as many refused requests as fit are held; one more releases the one held longest', async () => {
  const waiting: (() => void)[] = []
  const refusals = createSlowRefusals(
    () => false,
    () => new Promise<void>((resolve) => waiting.push(resolve)),
  )
  const held = Array.from({ length: 20_000 }, () => refusals.hold())
  expect(refusals.held).toBe(20_000)
  held.push(refusals.hold())
  await held[0]
  expect(refusals.held).toBe(20_000)
  for (const go of waiting) go()
  await Promise.all(held)
  expect(refusals.held).toBe(0)
})

it('[O55] the more requests are refused, the longer each is held, up to five seconds', () => {
  const delays: number[] = []
  const refusals = createSlowRefusals(
    () => false,
    (ms) => {
      delays.push(ms)
      return new Promise<void>(() => undefined)
    },
  )
  for (let count = 0; count < 20_000; count += 1) void refusals.hold()
  const between = (index: number, least: number, most: number) => {
    expect(delays[index]).toBeGreaterThanOrEqual(least)
    expect(delays[index]).toBeLessThanOrEqual(most)
  }
  between(0, 1_000, 1_500)
  between(1_999, 1_000, 1_500)
  between(3_999, 2_000, 3_000)
  between(9_999, 5_000, 5_000)
  between(19_999, 5_000, 5_000)
  expect(new Set(delays.slice(0, 100)).size).toBeGreaterThan(1)
})

it('[O55] a server that stops holds no refused request', async () => {
  const never = () => new Promise<void>(() => undefined)
  const refusals = createSlowRefusals(() => true, never)
  await refusals.hold()
  expect(refusals.held).toBe(0)
})

it('[O55] [B44] a refusal for overload is delayed and not logged; other errors are not delayed; a crowd is refused before authentication', async () => {
  const ledger = await openScratchLedger()
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const app = await openKernel(ledger, {
    services: { log },
    routes: (server) => {
      const config = { access: 'public' } as const
      server.get('/overloaded', { config }, () => Promise.reject(new SeatwiseError('OVERLOADED')))
      server.get('/away', { config }, () => Promise.reject(new SeatwiseError('UNAVAILABLE')))
      server.post('/crowded/:id', { config: { access: 'signed-in', refuseCrowd } }, async () => 'served')
    },
  })
  const startedAt = performance.now()
  expectError(await app.inject('/overloaded'), 503, 'OVERLOADED')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
  expect(lines).toEqual([])
  expectError(await app.inject('/away'), 503, 'UNAVAILABLE')
  expect(lines).toHaveLength(1)
  // Neither the token nor the body is read: this request has no token.
  expectError(await app.inject({ method: 'POST', url: '/crowded/today', body: {} }), 503, 'OVERLOADED')
  expectError(await app.inject({ method: 'POST', url: '/crowded/tomorrow', body: {} }), 401, 'UNAUTHORIZED')
  await app.close()
  await ledger.close()
})

function refuseCrowd(params: unknown): void {
  if ((params as { id: string }).id === 'today') throw new SeatwiseError('OVERLOADED')
}
