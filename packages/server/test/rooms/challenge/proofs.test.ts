import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'
import { fieldsOf, proofOf, solve, type TestChallenge } from './solve.ts'

const ALWAYS = { challenge: 'always', guestsPerAddress: 0, paused: true }

forEachMode('proofs of work', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const join = (room: string, body: object = {}, as?: string) =>
    bench.call('POST', `${room}/queue/join`, { body, ...(as !== undefined && { as }) })
  const challengeOf = async (room: string): Promise<TestChallenge> => {
    const answer = await join(room)
    expectError(answer, 403, 'CHALLENGE_REQUIRED')
    return answer.json<{ challenge: TestChallenge }>().challenge
  }
  const roomOf = async (sale: string): Promise<string> =>
    (await bench.call('GET', sale)).json<{ roomId: string }>().roomId

  it('[R82] a join without a proof gets a challenge, and its proof draws a ticket', async () => {
    const sale = await bench.sale(ALWAYS)
    const challenge = await challengeOf(sale)
    const roomId = await roomOf(sale)
    const expires = /^[0-9a-f]{24}\?expires=(\d+)&room=(.+)&$/.exec(challenge.salt)
    expect(expires?.[2]).toBe(roomId)
    expect(Math.abs(Number(expires?.[1]) - Date.now() / 1_000 - 300)).toBeLessThan(30)
    expect(challenge).toMatchObject({ algorithm: 'SHA-256', maxnumber: 100_000 })
    expect(challenge.challenge).toMatch(/^[0-9a-f]{64}$/)
    expect(challenge.signature).toMatch(/^[0-9a-f]{64}$/)
    const answer = await join(sale, { proof: solve(challenge) })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ status: 'waiting', position: 1 })
    const bare = await bench.call('GET', `/api/rooms/${roomId}/challenge`)
    expect(bare.headers['cache-control']).toBe('no-store')
    expect(Object.keys(bare.json<object>()).sort()).toEqual(Object.keys(challenge).sort())
    expect((await join(sale, { proof: solve(bare.json<TestChallenge>()) })).statusCode).toBe(200)
  })

  it('[R83] a proof counts once, also for many who send it at the same moment', async () => {
    const sale = await bench.sale(ALWAYS)
    const proof = solve(await challengeOf(sale))
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(sale, { proof })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.statusCode !== 200) expectError(answer, 403, 'CHALLENGE_FAILED')
    expectError(await join(sale, { proof }), 403, 'CHALLENGE_FAILED')
  })

  it('[R83] a proof of another room does not count', async () => {
    const [sale, other] = [await bench.sale(ALWAYS), await bench.sale(ALWAYS)]
    const proof = solve(await challengeOf(other))
    expectError(await join(sale, { proof }), 403, 'CHALLENGE_FAILED')
    const { salt } = fieldsOf(proof)
    const renamed = String(salt).replace(await roomOf(other), await roomOf(sale))
    expectError(await join(sale, { proof: proofOf({ ...fieldsOf(proof), salt: renamed }) }), 403, 'CHALLENGE_FAILED')
    // Refused elsewhere, it was not spent.
    expect((await join(other, { proof })).statusCode).toBe(200)
  })

  it('[R83] an altered, shortened or foreign proof does not count', async () => {
    const sale = await bench.sale(ALWAYS)
    const proof = solve(await challengeOf(sale))
    const fields = fieldsOf(proof)
    const [salt, number] = [String(fields.salt), String(fields.number)]
    const altered = [
      { ...fields, number: Number(number) + 1 },
      { ...fields, number },
      { ...fields, algorithm: 'SHA-1' },
      { ...fields, signature: '0'.repeat(64) },
      { ...fields, signature: '' },
      { ...fields, challenge: String(fields.challenge).toUpperCase() },
      // A digit that moves from the number into the salt hashes the same: the last `&` is what forbids it.
      { ...fields, salt: salt + number[0], number: Number(number.slice(1)) },
      { ...fields, salt: salt.slice(0, -1) },
      {},
      [],
    ]
    const texts = [...altered.map(proofOf), '', 'x', Buffer.from('null').toString('base64'), proof.slice(0, 40)]
    for (const text of texts) expectError(await join(sale, { proof: text }), 403, 'CHALLENGE_FAILED')
    expect((await join(sale, { proof: 'x'.repeat(1_001) })).statusCode).toBe(400)
    expect((await join(sale, { proof })).statusCode).toBe(200)
  })

  it('[R83] who has a live ticket needs no proof, and a refused join spends none', async () => {
    const sale = await bench.sale({ ...ALWAYS, maxWaiting: 1 })
    const ada = bench.buyer()
    const first = await join(sale, { proof: solve(await challengeOf(sale)) }, ada)
    expect(first.statusCode).toBe(200)
    const proof = solve((await bench.call('GET', `/api/rooms/${await roomOf(sale)}/challenge`)).json<TestChallenge>())
    expectError(await join(sale, { proof }), 409, 'QUEUE_FULL')
    await bench.operate(sale, { maxWaiting: 2 })
    expect((await join(sale, { proof })).statusCode).toBe(200)
    expect((await join(sale, {}, ada)).json()).toMatchObject({ ticketId: first.json<{ ticketId: string }>().ticketId })
  })

  it('[R84] `off` asks nobody, and `auto` asks nobody where rate limits are off', async () => {
    for (const challenge of ['off', 'auto']) {
      const sale = await bench.sale({ challenge, guestsPerAddress: 0, paused: true })
      for (let joins = 0; joins < 40; joins++) expect((await join(sale)).statusCode).toBe(200)
    }
  })

  it('[R84] [R85] `auto` asks a crowded address and no other, and the work grows', async () => {
    const strict = await open({ env: { SEATWISE_RATE_LIMITS: 'on', SEATWISE_TRUST_PROXY: '127.0.0.1' } })
    const sale = await strict.sale({ guestsPerAddress: 0, paused: true })
    const from = (address: string, body: object = {}) =>
      strict.call('POST', `${sale}/queue/join`, { body, headers: { 'x-forwarded-for': address } })
    for (let joins = 0; joins < 30; joins++) expect((await from('203.0.113.7')).statusCode).toBe(200)
    const works: number[] = []
    for (let joins = 0; joins < 70; joins++) {
      const answer = await from('203.0.113.7')
      expectError(answer, 403, 'CHALLENGE_REQUIRED')
      works.push(answer.json<{ challenge: TestChallenge }>().challenge.maxnumber)
    }
    expect(works[0]).toBeGreaterThanOrEqual(100_000)
    expect(works.at(-1)).toBeGreaterThan(1.9 * (works[0] ?? 0))
    expect((await from('203.0.113.8')).statusCode).toBe(200)
    expect((await from('2001:db8::1')).statusCode).toBe(200)
  })
})
