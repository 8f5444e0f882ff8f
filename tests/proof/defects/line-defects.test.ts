import { formatReport, isSound } from '@seatwise/checker'
import { connectRedis, parseRedisUrl, type RedisConnection } from '@seatwise/line'
import { redisPrefix } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptPatch } from '../simulation/patched-connection.ts'
import { simulate } from '../simulation/simulate.ts'

interface Defect extends ScriptPatch {
  readonly name: string
  readonly invariant: string
  /** It shows only when something is lost. */
  readonly inTrouble?: true
  /** It shows only now and then; among the seeds from this one it is seen soon. */
  readonly firstSeed?: number
}

/** One mistake each, as a developer could make it. The rest of the scripts is the product's. */
const DEFECTS: readonly Defect[] = [
  {
    ...{ name: 'the capacity is compared without counting the floor', invariant: 'I13' },
    from: "local slots = room.capacity - call('ZCARD', key.floor)",
    to: 'local slots = room.capacity',
  },
  {
    ...{ name: 'the bucket is full again for every admission', invariant: 'I14' },
    from: 'room.level = room.level - TOKEN',
    to: 'room.level = room.burst * TOKEN',
  },
  {
    ...{ name: 'the last in line goes in first', invariant: 'I15' },
    from: "local heads = call('ZRANGE', key.line,",
    to: "local heads = call('ZREVRANGE', key.line,",
  },
  {
    ...{ name: 'newcomers are put before those who wait', invariant: 'I16' },
    from: 'local place = choose_place(room, class, number)',
    to: 'local place = -number',
  },
  {
    ...{ name: 'positions are off by one', invariant: 'I17' },
    from: "rank = call('ZRANK', key.line, member)\n  elseif",
    to: "rank = call('ZRANK', key.line, member) + 1\n  elseif",
  },
  {
    ...{ name: 'a slot is not freed when a visitor has bought or left', invariant: 'I18' },
    from: "local slots = room.capacity - call('ZCARD', key.floor)",
    to: 'local slots = room.capacity - room.admissions',
  },
  {
    ...{ name: 'an older pass still counts', invariant: 'I19' },
    from: 'if not ticket or not pass or pass.fence ~= fence then',
    to: 'if not ticket or not pass then',
  },
  {
    ...{ name: 'a visitor who comes after their time is served', invariant: 'I20', firstSeed: 43 },
    from: "if deadline_of(ticket.number) <= room.now then end_ticket(room, ticket, 't', operation) end",
    to: '',
  },
  {
    ...{ name: 'sold out is said while seats are only held', invariant: 'I25' },
    from: 'return room.stock == 0 and room.heldSeats == 0',
    to: 'return room.stock == 0',
  },
  {
    ...{ name: 'more visitors are admitted than there are seats', invariant: 'I27' },
    from: 'slots = math.min(slots, room.stock - room.taken - room.promised)',
    to: '',
  },
  {
    ...{ name: 'joining again draws another ticket', invariant: 'I28', inTrouble: true as const },
    from: 'answers[i] = number and join_again(',
    to: 'answers[i] = false and join_again(',
  },
]
/** A defect that does not show within these did not show. */
const SEEDS_MAX = 100

describe('defects of the line', () => {
  const { url, prefix } = redisPrefix()
  let connection: RedisConnection
  beforeAll(async () => {
    const parsed = parseRedisUrl(url)
    if (parsed.status === 'bad') throw new Error(parsed.problem)
    connection = await connectRedis(parsed.target, { onError: () => undefined })
  })
  afterAll(() => connection?.close())

  test.each(DEFECTS)(
    '[V14] $invariant notices that $name',
    async ({ invariant, from, to, inTrouble, firstSeed = 1 }) => {
      const isCalm = inTrouble !== true
      for (let seed = firstSeed; seed < firstSeed + SEEDS_MAX; seed += 1) {
        const { report, room } = await simulate({ connection, prefix, seed, patches: [{ from, to }], isCalm })
        expect(room.unusedPatches()).toEqual([])
        const judged = report.invariants.find(({ id }) => id === invariant)
        if (judged?.verdict.status !== 'violated') continue
        const sound = await simulate({ connection, prefix, seed, isCalm })
        expect(isSound(sound.report), formatReport(sound.report)).toBe(true)
        return
      }
      expect.fail(`${invariant} noticed nothing in ${SEEDS_MAX} seeds`)
    },
    60_000,
  )
})
