import { waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roomKeys } from '../../src/redis/scripts/keys.ts'
import { openTestRoom, testSettings, testState } from '../contract/test-room.ts'
import { openRedisHarness, type RedisHarness } from './harness.ts'

describe('keys of a room', () => {
  let harness: RedisHarness
  beforeAll(async () => {
    harness = await openRedisHarness()
  })
  afterAll(async () => {
    await harness.close()
  })

  async function keysOf(room: string): Promise<string[]> {
    const pattern = `${harness.prefix}{${room}}*`
    return ((await harness.connection.send(room, ['KEYS', pattern])) as string[]).sort()
  }

  test('[L36] share one hash tag and carry the epoch, except the key that stores it', () => {
    const [epoch, ...others] = roomKeys('test:', 'room', 7)
    expect(epoch).toBe('test:{room}:epoch')
    expect(others.length).toBeGreaterThan(0)
    for (const key of others) expect(key).toMatch(/^test:\{room\}:7:/)
    expect(() => roomKeys('', 'ro}om', 7)).toThrow(/braces/)
  })

  test('[L36] of an earlier epoch are gone after the next one', async () => {
    const room = await openTestRoom(harness)
    await room.crowd(600)
    await room.admit(10)
    await room.load(3, {})
    await waitUntil('only the new epoch is left', async () =>
      (await keysOf(room.id)).every((key) => key.includes(':3:') || key.endsWith(':epoch')),
    )
  })

  test('[L36] are all gone after the room is dropped', async () => {
    const room = await openTestRoom(harness)
    await room.crowd(600)
    await room.admit(10)
    await room.draw('ada', { code: 'code', limit: { key: 'address', max: 1 }, shown: { name: 'Ada', avatar: null } })
    await harness.line.drop(room.id)
    await waitUntil('nothing is left', async () => (await keysOf(room.id)).length === 0)
    expect(await harness.line.epochOf(room.id)).toBeNull()
  })

  test('[L36] a load that was begun and given up is gone after the next one', async () => {
    const room = await openTestRoom(harness)
    await harness.line.beginLoad(room.id, 3, { ...testState(), settings: testSettings(), usedCodes: ['used'] })
    await room.load(4, {})
    await waitUntil('nothing of it is left', async () => !(await keysOf(room.id)).some((key) => key.includes(':3:')))
  })

  test('[L36] of tickets that ended shrink when the log is trimmed', async () => {
    const room = await openTestRoom(harness)
    const crowd = await room.crowd(1_000)
    for (const ticket of crowd) await room.end(ticket, 'cancelled')
    const before = (await keysOf(room.id)).filter((key) => key.includes(':tickets:'))
    await room.line.trim(room.at, await room.seq())
    const left = await keysOf(room.id)
    expect(before.length).toBeGreaterThan(3)
    expect(left.filter((key) => key.includes(':tickets:'))).toEqual([])
    expect(left.filter((key) => /:(identities|ended|chunks|moves|limits)$/.test(key))).toEqual([])
    await room.draw('a newcomer')
  })
})
