import { type FaultProxy, redisPrefix, startFaultProxy, testSeed, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LineLost } from '../../src/index.ts'
import { everyStep } from '../contract/loss-rules.ts'
import { openTestRoom, type TestRoom } from '../contract/test-room.ts'
import { openHarnessAt, type RedisHarness } from './harness.ts'

/** Each step reaches Redis and is applied, but its answer is lost and the connection breaks; then it is repeated. */
describe('lost replies', () => {
  let proxy: FaultProxy
  let harness: RedisHarness
  let room: TestRoom

  beforeEach(async () => {
    const { url, prefix } = redisPrefix()
    const target = new URL(url)
    proxy = await startFaultProxy({ targetPort: Number(target.port), protocol: 'redis', seed: testSeed() })
    target.port = String(proxy.port)
    // Connections break on purpose here, so their errors say nothing.
    harness = await openHarnessAt(target.href, prefix, () => undefined)
    room = await openTestRoom(harness)
    // From here on Redis knows every script: the first answer to one that it does not know would be no answer of a step.
    const nowhere = { ...room.at, epoch: 99 }
    for (const step of Object.values(everyStep(room, nowhere))) await expect(step()).rejects.toBeInstanceOf(LineLost)
  })

  afterEach(async () => {
    await harness.close()
    await proxy.stop()
  })

  /** Runs a step and loses its reply, then repeats it until it is answered. */
  async function loseReplyOf<Reply>(step: () => Promise<Reply>): Promise<Reply> {
    const swallowed = proxy.swallowReply({ matching: /^EVAL/ })
    await expect(step()).rejects.toThrow()
    await swallowed
    const answer = await waitUntil('the step is answered', async () => ({ reply: await step() }))
    return answer.reply
  }

  async function kinds(): Promise<string[]> {
    return (await room.log()).map(({ change }) => change.kind)
  }

  test('[L37] joining again after a lost reply finds the ticket that was drawn', async () => {
    const reply = await loseReplyOf(() => room.join('ada'))
    expect(reply).toMatchObject({ status: 'present', number: 1, rank: 0, waiting: 1 })
    expect(await kinds()).toEqual(['opened', 'joined'])
  })

  test('[L37] admitting again with the same operation admits no other ticket', async () => {
    await room.crowd(5)
    await room.change({ settings: { capacity: 100 } })
    const reply = await loseReplyOf(() => room.admit(2, 'the-operation'))
    expect(reply.admitted.map(({ number }) => number)).toEqual([1, 2])
    expect((await room.floor()).map(({ number }) => number)).toEqual([1, 2])
  })

  test('[L37] entering again gives the same pass', async () => {
    const ada = await room.draw('ada')
    const { admitted } = await room.admit()
    const reply = await loseReplyOf(() => room.enter(ada))
    expect(reply).toMatchObject({ status: 'active', fence: admitted[0]?.fence })
    expect(await kinds()).toEqual(['opened', 'joined', 'admitted', 'entered'])
  })

  test('[L37] leaving again finds the ticket ended', async () => {
    const ada = await room.draw('ada')
    const reply = await loseReplyOf(() => room.end(ada, 'cancelled', 'leave'))
    expect(reply).toMatchObject({ status: 'was_ended', state: 'expired', reason: 'cancelled' })
    expect(await kinds()).toEqual(['opened', 'joined', 'expired'])
  })

  test('[L37] moving and extending again act once', async () => {
    const ada = await room.draw('ada')
    await room.admit()
    const extended = await loseReplyOf(() => room.extend(ada, 60_000, 'extend'))
    const moved = await loseReplyOf(() => room.move(ada, 'move'))
    expect(extended.status).toBe('extended')
    expect(moved).toMatchObject({ status: 'moved_here', generation: 2 })
    expect(await kinds()).toEqual(['opened', 'joined', 'admitted', 'extended', 'moved'])
  })

  test('[L37] a change that is repeated late does not undo a newer one', async () => {
    await loseReplyOf(() => room.change({ operation: 'first', message: '5' }))
    await room.change({ operation: 'second', message: '4' })
    await room.change({ operation: 'first', message: '5' })
    expect((await room.now()).message).toBe('4')
    expect(await kinds()).toEqual(['opened', 'changed', 'changed'])
  })

  test('[L37] taking and settling again act once', async () => {
    const ada = await room.draw('ada')
    await room.settle({ version: 1, stock: 3 })
    await room.admit()
    expect(await loseReplyOf(() => room.take(ada, 2, 'claim'))).toMatchObject({ status: 'taken' })
    expect(await room.now()).toMatchObject({ taken: 2, promised: 0 })
    const results = [{ operation: 'claim', number: ada.number, reserved: { until: 9_000_000_000_000, quantity: 2 } }]
    await loseReplyOf(() => room.settle({ version: 2, stock: 1, heldSeats: 2, results }))
    expect(await room.now()).toMatchObject({ taken: 0, promised: 0, stock: 1 })
    expect(await kinds()).toEqual(['opened', 'joined', 'changed', 'admitted', 'reserved', 'changed'])
  })

  test('[L37 control] admitting again with another operation admits more', async () => {
    await room.crowd(5)
    let operations = 0
    const reply = await loseReplyOf(() => room.admit(2, `operation ${operations++}`))
    expect(reply.admitted.map(({ number }) => number)).toEqual([3, 4])
  })
})
