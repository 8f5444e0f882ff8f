import { createHmac, randomBytes } from 'node:crypto'
import { solveChallenge, verifySolution } from 'altcha-lib/v1'
import { expect, test } from 'vitest'
import { deriveKeys, Mac } from '../../../src/identity/index.ts'
import { createChallenges } from '../../../src/rooms/challenge/challenges.ts'
import { fieldsOf, proofOf, solve } from './solve.ts'

const ROOM = { id: 'a-room', epoch: 3 }
const WORK = 500
const START = Date.parse('2026-11-15T10:00:00.400Z')

test('[R82] ALTCHA’s own library solves and verifies a challenge', async () => {
  const secret = randomBytes(32)
  const now = Date.now
  const challenges = createChallenges([secret], now)
  const drawn = challenges.draw(ROOM, WORK)
  const found = await solveChallenge(drawn.challenge, drawn.salt, drawn.algorithm, drawn.maxnumber).promise
  const { maxnumber: _, ...fields } = { ...drawn, number: found?.number ?? -1 }
  const [derived] = deriveKeys([secret], 'challenge')
  const key = new Mac(derived.key).of('a-room 3', 'base64url')
  expect(await verifySolution(proofOf(fields), key)).toBe(true)
  expect(drawn.signature).toBe(createHmac('sha256', key).update(drawn.challenge).digest('hex'))
  expect(challenges.read(ROOM, proofOf(fields))).toMatchObject({ key: drawn.challenge.slice(0, 32) })
})

test('[R82] any server with the secret verifies a proof, also with an older secret that is still listed', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const proof = solve(createChallenges([old], () => START).draw(ROOM, WORK))
  expect(createChallenges([fresh, old], () => START).read(ROOM, proof)).not.toBeNull()
  expect(createChallenges([fresh], () => START).read(ROOM, proof)).toBeNull()
})

test('[R83] a proof counts for five minutes', () => {
  let now = START
  const challenges = createChallenges([randomBytes(32)], () => now)
  const proof = solve(challenges.draw(ROOM, WORK))
  now = START + 300_000
  expect(challenges.read(ROOM, proof)?.until).toBe(START + 300_600)
  now = START + 300_600
  expect(challenges.read(ROOM, proof)).toBeNull()
  const { salt } = fieldsOf(proof)
  const later = String(salt).replace(/expires=\d+/, `expires=${Math.floor(now / 1_000) + 100}`)
  expect(challenges.read(ROOM, proofOf({ ...fieldsOf(proof), salt: later }))).toBeNull()
})

test('[R83] a proof counts in the epoch it was drawn in: a rebuilt line forgets which were spent', () => {
  const challenges = createChallenges([randomBytes(32)], () => START)
  const proof = solve(challenges.draw(ROOM, WORK))
  expect(challenges.read({ ...ROOM, epoch: 4 }, proof)).toBeNull()
  expect(challenges.read({ ...ROOM, id: 'another' }, proof)).toBeNull()
  expect(challenges.read(ROOM, proof)).not.toBeNull()
})
