import { createHash } from 'node:crypto'
import { solveChallenge as solveByAltcha } from 'altcha-lib/v1'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prepareTrial } from '../src/proof/hashes.ts'
import { solveChallenge } from '../src/proof/solve.ts'
import type { Challenge } from '../src/types.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

it('[K42] the trial of numbers hashes as Node does, whatever the salt and its length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 150 }), fc.nat(10_000_000), async (salt, number) => {
      const tryNumbers = prepareTrial(salt, hashOf(Buffer.from(`${salt}${number}`).toString()))
      expect(tryNumbers(Math.max(0, number - 3), number + 1)).toBe(number)
      expect(tryNumbers(number + 1, number + 20)).toBe(-1)
    }),
    { numRuns: 300 },
  )
})

it('[K42] the proof is the one that ALTCHA’s own library finds, and progress is told', async () => {
  const salt = '0123456789abcdef01234567?expires=1795000000&room=5f0c1c9e-9c1b-7d1e-8a4e-0d5f7c2b1a90&'
  const fields = { challenge: hashOf(`${salt}12345`), salt, signature: 'of the server' }
  const challenge: Challenge = { algorithm: 'SHA-256', ...fields, maxnumber: 20_000 }
  const parts: number[] = []
  const proof = await solveChallenge(challenge, (part) => parts.push(part))
  const found = await solveByAltcha(challenge.challenge, salt, 'SHA-256', 20_000).promise
  expect(JSON.parse(atob(proof))).toEqual({ algorithm: 'SHA-256', ...fields, number: found?.number })
  expect(parts).toEqual(parts.toSorted((one, other) => one - other))
  expect(parts.length).toBeGreaterThan(2)
  await expect(solveChallenge({ ...challenge, maxnumber: 12_000 })).rejects.toThrow('no solution')
})

it('[K42] the usual work takes a phone that is four times slower less than two seconds', () => {
  const numbers = 100_000
  const tryNumbers = prepareTrial('0123456789abcdef01234567?expires=1795000000&room=a-room&', 'f'.repeat(64))
  tryNumbers(0, numbers)
  const before = process.cpuUsage()
  tryNumbers(0, numbers)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  console.info(
    `${Math.round(numbers / seconds)} hashes a second; the most that is usually asked: ${seconds.toFixed(3)} s`,
  )
  expect(4 * seconds).toBeLessThan(2)
})
