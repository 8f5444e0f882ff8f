import { readFileSync } from 'node:fs'
import { formatReport } from '@seatwise/checker'
import { suiteSeed, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import { type Answered, DEEDS, type Deed, openScene, type Scene } from './scene.ts'

const TABLE = readTable()
/** What is left when every deed was done exactly once: two paid, one of them scanned, one canceled, one reserved. */
const DONE_ONCE = { paid: 2, canceled: 1, pending: 1, etickets: 2, checkedIn: 1 }
const DONE = new Set([200, 201, 204])
/** Deadlines of stores are shorter; what a busy machine adds is not the product's. */
const REFUSED_MS_MAX = 15_000

const CLOCK_SHIFTS_MS = [-3 * 3_600_000, 3 * 3_600_000]

describe('a part is away', { timeout: 120_000 }, () => {
  let laboratory: Laboratory
  let scene: Scene
  beforeAll(async () => {
    laboratory = await openLaboratory({ servers: 1, seed: suiteSeed() })
  }, 120_000)
  afterAll(() => laboratory?.close())

  test('[F1] Redis', async () => {
    scene = await openScene(laboratory, suiteSeed())
    scene.room.history.fault('pause', 'redis', 'begin')
    laboratory.redis.pause()
    try {
      expect(await tryAll()).toEqual(outcomesOf('Redis away'))
    } finally {
      laboratory.redis.resume()
      scene.room.history.fault('pause', 'redis', 'end')
    }
    await expectRecovery()
  })

  test('[F2] PostgreSQL', async () => {
    scene = await openScene(laboratory, suiteSeed() + 1)
    scene.room.history.fault('cut', 'ledger', 'begin')
    for (const link of laboratory.ledgerLinks) link.cut()
    try {
      const { leave, ...others } = outcomesOf('PostgreSQL away')
      expect(await tryAll(DEEDS.filter((deed) => deed !== 'leave'))).toEqual(others)
      // Somebody leaves, so that there is room; as long as it takes to be refused again, nobody is let in.
      expect(judge(await scene.attempt('leave'))).toBe(leave)
      expect(judge(await scene.attempt('reserve'))).toBe('refused')
      expect(await scene.statusOfNext()).toBe('waiting')
    } finally {
      for (const link of laboratory.ledgerLinks) link.heal()
      scene.room.history.fault('cut', 'ledger', 'end')
    }
    await expectRecovery()
  })

  test('[F6] answers of Redis that get lost', async () => {
    scene = await openScene(laboratory, suiteSeed() + 2)
    for (const deed of DEEDS) {
      const [link] = laboratory.redisLinks
      link?.swallowReplies(0.5, /EVAL|FCALL/i)
      await untilDone(deed)
    }
    laboratory.redisLinks[0]?.swallowReplies(0)
    await expectRecovery()
    expect(laboratory.redisLinks[0]?.swallowed()).toBeGreaterThan(3)
  })

  test('[F6] answers of PostgreSQL that get lost', async () => {
    scene = await openScene(laboratory, suiteSeed() + 3)
    const [link] = laboratory.ledgerLinks
    for (const deed of DEEDS) {
      // Of whichever transaction ends next, which may also be one in the background.
      const swallowed = isDecidedByLedger(deed) ? link?.swallowReply({ matching: /commit/i }) : undefined
      await untilDone(deed)
      await swallowed
    }
    await expectRecovery()
    expect(link?.swallowed()).toBeGreaterThanOrEqual(5)
  })

  /** All at once, as it would be; nobody waits for the others. */
  async function tryAll(tried: readonly Deed[] = DEEDS): Promise<Record<string, string>> {
    const startedAt = performance.now()
    const outcomes = await Promise.all(
      tried.map(async (deed): Promise<[Deed, string]> => [deed, judge(await scene.attempt(deed))]),
    )
    expect(performance.now() - startedAt).toBeLessThan(REFUSED_MS_MAX)
    return Object.fromEntries(outcomes)
  }

  /** Everything works again, with the same keys, and everything has happened once. */
  async function expectRecovery(): Promise<void> {
    for (const deed of DEEDS) await untilDone(deed)
    await waitUntil('the next one is let in', async () => /admitted|active/.test(await scene.statusOfNext()), PATIENT)
    expect(await scene.facts()).toEqual(DONE_ONCE)
    await expectClean(laboratory, scene)
  }

  async function untilDone(deed: Deed): Promise<void> {
    const answers: Answered[] = []
    const works = waitUntil(
      `${deed} works`,
      async () => isDone(answers[answers.push(await scene.attempt(deed)) - 1]),
      PATIENT,
    )
    await works.catch((cause: unknown) => {
      throw new Error(`${deed} was answered ${answers.map(({ status, code }) => `${status} ${code}`).slice(-5)}`, {
        cause,
      })
    })
  }
})

describe('one of two servers, neither of which has the right time', { timeout: 120_000 }, () => {
  let laboratory: Laboratory
  beforeAll(async () => {
    const shift = `--import=${new URL('shift-clock.mjs', import.meta.url).href}`
    laboratory = await openLaboratory({
      ...{ servers: 2, seed: suiteSeed() },
      env: (index) => ({ NODE_OPTIONS: shift, CLOCK_SHIFT_MS: String(CLOCK_SHIFTS_MS[index]) }),
    })
  }, 120_000)
  afterAll(() => laboratory?.close())

  test.each(CLOCK_SHIFTS_MS.map((ms, index) => [ms / 3_600_000, index]))(
    '[F4] has a clock that is %d hours ahead',
    async (_, index) => {
      const scene = await openScene(laboratory, suiteSeed() + 10 + index)
      for (const deed of DEEDS) expect([deed, judge(await scene.attempt(deed, index))]).toEqual([deed, 'done'])
      await waitUntil(
        'the next one is let in',
        async () => /admitted|active/.test(await scene.statusOfNext(index)),
        PATIENT,
      )
      expect(await scene.facts()).toEqual(DONE_ONCE)
      await expectClean(laboratory, scene)
    },
  )

  test('[F3] dies in the middle of every deed', async () => {
    const scene = await openScene(laboratory, suiteSeed() + 1)
    const underWay = Promise.all(DEEDS.map((deed) => scene.attempt(deed, 0)))
    await laboratory.servers[0]?.kill()
    await underWay
    for (const deed of DEEDS) {
      await waitUntil(`${deed} works elsewhere`, async () => isDone(await scene.attempt(deed, 1)), PATIENT)
    }
    await waitUntil('the next one is let in', async () => /admitted|active/.test(await scene.statusOfNext(1)), PATIENT)
    expect(await scene.facts()).toEqual(DONE_ONCE)
    await expectClean(laboratory, scene)
    await laboratory.servers[0]?.restart()
  })
})

function isDecidedByLedger(deed: Deed): boolean {
  return ['reserve', 'pay', 'cancel', 'scan', 'operate'].includes(deed)
}

const PATIENT = { timeoutMs: 40_000 }
const NOTHING: Answered = { status: 0, code: '', retryAfterMs: null }

async function expectClean(laboratory: Laboratory, { room }: Scene): Promise<void> {
  const report = await laboratory.verify(room)
  expect(
    report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
    formatReport(report),
  ).toEqual([])
}

function judge(answer: Answered): string {
  if (isDone(answer)) return 'done'
  if (answer.status === 503 && answer.retryAfterMs !== null && answer.retryAfterMs >= 1_000) return 'refused'
  return `${answer.status} ${answer.code}`
}

function isDone({ status }: Answered = NOTHING): boolean {
  return DONE.has(status)
}

/** A column of the table in docs/faults.md; leaving is not in it, because it only makes room. */
function outcomesOf(fault: string): Record<string, unknown> {
  const column = TABLE.get('deed')?.indexOf(fault) ?? -1
  const outcomes = DEEDS.map((deed) => [
    deed,
    expectation(TABLE.get(deed)?.[column] ?? (fault === 'Redis away' ? 'refused' : 'done')),
  ])
  return Object.fromEntries(outcomes)
}

function expectation(outcome: string): unknown {
  return outcome === 'told or refused' ? expect.stringMatching(/^(done|refused)$/) : outcome
}

function readTable(): Map<string, string[]> {
  const text = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  return new Map(
    rows.map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return [cells[0] ?? '', cells]
    }),
  )
}
