import { suiteSeed, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DONE_ONCE, expectClean, expectRecovery, judge, outcomesOf, PATIENT, tryAll, untilDone } from './deeds-tried.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import { DEEDS, type Deed, openScene, type Scene } from './scene.ts'

const SEVERAL_TICKS_MS = 1_000
const CLOCK_SHIFTS_MS = [-3 * 3_600_000, 3 * 3_600_000]

describe('two servers, neither of which has the right time', { timeout: 120_000 }, () => {
  let laboratory: Laboratory
  let scene: Scene
  beforeAll(async () => {
    const shift = `--import=${new URL('shift-clock.mjs', import.meta.url).href}`
    laboratory = await openLaboratory({
      ...{ servers: 2, seed: suiteSeed() },
      env: (index) => ({ NODE_OPTIONS: shift, CLOCK_SHIFT_MS: String(CLOCK_SHIFTS_MS[index]) }),
    })
  }, 120_000)
  afterAll(() => laboratory?.close())

  test('[F1] Redis is away', async () => {
    scene = await openScene(laboratory, suiteSeed())
    scene.room.history.fault('pause', 'redis', 'begin')
    laboratory.redis.pause()
    try {
      expect(await tryAll(scene)).toEqual(outcomesOf('Redis away'))
    } finally {
      laboratory.redis.resume()
      scene.room.history.fault('pause', 'redis', 'end')
    }
    await expectRecovery(laboratory, scene)
  })

  test('[F2] PostgreSQL is away', async () => {
    scene = await openScene(laboratory, suiteSeed() + 1)
    scene.room.history.fault('cut', 'ledger', 'begin')
    for (const link of laboratory.ledgerLinks) link.cut()
    try {
      const { leave, ...others } = outcomesOf('PostgreSQL away')
      expect(
        await tryAll(
          scene,
          DEEDS.filter((deed) => deed !== 'leave'),
        ),
      ).toEqual(others)
      // A visitor leaves, so that there is room; for several ticks no visitor is admitted.
      expect(judge(await scene.attempt('leave'))).toBe(leave)
      const leftAt = performance.now()
      await waitUntil('there was time to admit a visitor', () => performance.now() - leftAt > SEVERAL_TICKS_MS)
      expect(await scene.statusOfNext()).toBe('waiting')
    } finally {
      for (const link of laboratory.ledgerLinks) link.heal()
      scene.room.history.fault('cut', 'ledger', 'end')
    }
    await expectRecovery(laboratory, scene)
  })

  test('[F6] answers of Redis get lost', async () => {
    scene = await openScene(laboratory, suiteSeed() + 2)
    for (const deed of DEEDS) {
      const [link] = laboratory.redisLinks
      link?.swallowReplies(0.5, /EVAL|FCALL/i)
      await untilDone(scene, deed)
    }
    laboratory.redisLinks[0]?.swallowReplies(0)
    await expectRecovery(laboratory, scene)
    expect(laboratory.redisLinks[0]?.swallowed()).toBeGreaterThan(3)
  })

  test('[F6] answers of PostgreSQL get lost', async () => {
    scene = await openScene(laboratory, suiteSeed() + 3)
    const [link] = laboratory.ledgerLinks
    for (const deed of DEEDS) {
      // Of whichever transaction ends next, which may also be one in the background.
      const swallowed = isDecidedByLedger(deed) ? link?.swallowReply({ matching: /commit/i }) : undefined
      await untilDone(scene, deed)
      await swallowed
    }
    await expectRecovery(laboratory, scene)
    expect(link?.swallowed()).toBeGreaterThanOrEqual(5)
  })

  test.each(CLOCK_SHIFTS_MS.map((ms, index) => [ms / 3_600_000, index]))(
    '[F4] a server with a clock %d hours ahead does everything',
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

  test('[F3] a server dies in the middle of every deed', async () => {
    const scene = await openScene(laboratory, suiteSeed() + 1)
    const underWay = Promise.all(DEEDS.map((deed) => scene.attempt(deed, 0)))
    await laboratory.servers[0]?.kill()
    await underWay
    for (const deed of DEEDS) await untilDone(scene, deed, 1)
    await waitUntil('the next one is let in', async () => /admitted|active/.test(await scene.statusOfNext(1)), PATIENT)
    expect(await scene.facts()).toEqual(DONE_ONCE)
    await expectClean(laboratory, scene)
  })
})

function isDecidedByLedger(deed: Deed): boolean {
  return ['reserve', 'pay', 'cancel', 'scan', 'operate'].includes(deed)
}
