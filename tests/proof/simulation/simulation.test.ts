import { formatReport, isSound } from '@seatwise/checker'
import { connectRedis, parseRedisUrl, type RedisConnection } from '@seatwise/line'
import { redisPrefix, suiteSeed } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from './simulate.ts'

const SEEDS = process.env.SEATWISE_LONG === '1' ? 2_000 : 50
/** As many at a time as keep Redis busy. */
const AT_ONCE = 32

/** What must have happened in some history, or nothing was proved. */
const WITNESSES = [
  ...['request lost', 'reply lost', 'repeated', 'late', 'server died', 'line lost', 'rebuilt', 'lost: missing'],
  ...['reserved', 'sold', 'moved', 'brought back', 'ended: no_show', 'ended: timeout', 'ended: cancelled'],
  ...['corrected: active', 'corrected: completed'],
]
/** Rules that thousands of calls must have put to the test. */
const TESTED = ['I1', 'I4', 'I6', 'I13', 'I14', 'I15', 'I16', 'I17', 'I19', 'I20', 'I21', 'I22', 'I27', 'I28']

/** Seeds that once found something. */
const FOUND: readonly number[] = [3, 11, 1_994_209_924, 2_107_339_591]
/** Seeds that have, with the others, all that must have happened: what is rare is not left to luck. */
const COMPLETE: readonly number[] = [...FOUND, 1_017, 1_032, 1_019, 1_030]

describe('the simulation', () => {
  const { url, prefix } = redisPrefix()
  let connection: RedisConnection
  beforeAll(async () => {
    const parsed = parseRedisUrl(url)
    if (parsed.status === 'bad') throw new Error(parsed.problem)
    connection = await connectRedis(parsed.target, { onError: () => undefined })
  })
  afterAll(() => connection?.close())

  test('[V15] every history is sound, and together they cover every witness and invariant', async () => {
    const start = suiteSeed()
    const witness = new Set<string>()
    const held = new Set<string>()
    let next = 0
    const work = async (): Promise<void> => {
      while (next < SEEDS) {
        const seed = COMPLETE[next] ?? (start + next) % 2 ** 31
        next += 1
        const { report, witness: seen } = await simulate({ connection, prefix, seed })
        if (!isSound(report)) throw new Error(`Seed ${seed} breaks a rule:\n${formatReport(report)}`)
        for (const what of seen.keys()) witness.add(what)
        for (const { id, verdict } of report.invariants) if (verdict.status === 'held') held.add(id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(WITNESSES.filter((what) => !witness.has(what))).toEqual([])
    expect(TESTED.filter((id) => !held.has(id))).toEqual([])
  }, 900_000)

  test.each(FOUND)('[V15] seed %d, which once found something, is sound', async (seed) => {
    const { report } = await simulate({ connection, prefix, seed })
    expect(isSound(report), formatReport(report)).toBe(true)
  })

  test('[V16] the same seed gives the same history', async () => {
    const histories = []
    for (let round = 0; round < 2; round += 1) {
      const { room } = await simulate({ connection, prefix, seed: 42 })
      histories.push(
        JSON.stringify(room.records)
          .replaceAll(room.id, 'room')
          .replace(/admit \d+/g, 'admit'),
      )
    }
    expect(histories[0]?.length).toBeGreaterThan(10_000)
    expect(histories[1]).toBe(histories[0])
  })
})
