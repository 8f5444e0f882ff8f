import { openScratchLedger } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { createPasswordHasher } from '../../../src/identity/accounts/password-hash.ts'
import { openTestApp } from '../../support/accounts.ts'
import { type Asked, KINDS, type Kind, openCallers, type Whose } from './enumeration-kit.ts'

const CALLS = 400
/** An attacker who takes a difference of less for a difference is wrong once in three hundred times. */
const STANDARD_ERRORS = 3

/** The difference of the mean times, and its standard error, in ms; asked in turns, so that a slow minute hits both. */
async function compare(ask: Asked, kind: Kind, [one, other]: readonly [Whose, Whose]) {
  const times: Record<string, number[]> = { [one]: [], [other]: [] }
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await ask(kind, warmUp % 2 === 0 ? one : other)
  for (let call = 0; call < CALLS; call += 1) {
    for (const whose of call % 2 === 0 ? [one, other] : [other, one]) {
      const startedAt = performance.now()
      await ask(kind, whose)
      times[whose]?.push(performance.now() - startedAt)
    }
  }
  const [left, right] = [momentsOf(times[one] ?? []), momentsOf(times[other] ?? [])]
  return { difference: left.mean - right.mean, noise: Math.sqrt((left.variance + right.variance) / CALLS) }
}

function momentsOf(times: readonly number[]): { mean: number; variance: number } {
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  return { mean, variance: times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (times.length - 1) }
}

/** Few milliseconds, as much as the rest of the call: a real hash would hide smaller differences in its own noise. */
const passwords = createPasswordHasher({ memory: 2_048, passes: 1, parallelism: 1 })
const env = { SEATWISE_RATE_LIMITS: 'off' }

it('[A125] the times of known and unknown addresses differ by less than their noise', {
  timeout: 900_000,
}, async () => {
  const ledger = await openScratchLedger()
  const { app } = await openTestApp(ledger, { env, passwords })
  const ask = await openCallers(app, ledger)
  const told: string[] = []
  for (const kind of KINDS) {
    for (const whose of ['with a password', 'without a password'] as const) {
      const { difference, noise } = await compare(ask, kind, [whose, 'unknown'])
      console.log(`${kind}, ${whose}: ${difference.toFixed(3)} ms, standard error ${noise.toFixed(3)} ms`)
      if (Math.abs(difference) > STANDARD_ERRORS * noise) told.push(`${kind}, ${whose}`)
    }
  }
  await app.close()
  await ledger.close()
  expect(told).toEqual([])
})

it('[A125 control] a server that hashes for known addresses alone is found', { timeout: 300_000 }, async () => {
  const ledger = await openScratchLedger()
  const careless = {
    ...passwords,
    verify: async (password: string, stored: string | null) =>
      stored !== null && (await passwords.verify(password, stored)),
  }
  const { app } = await openTestApp(ledger, { env, passwords: careless })
  const ask = await openCallers(app, ledger)
  const { difference, noise } = await compare(ask, 'signing in with a password', ['with a password', 'unknown'])
  await app.close()
  await ledger.close()
  expect(Math.abs(difference)).toBeGreaterThan(STANDARD_ERRORS * noise)
})
