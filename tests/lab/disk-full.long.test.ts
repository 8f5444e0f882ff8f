import { answersPing, suiteSeed, waitUntil } from '@seatwise/testbench'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectRecovery, outcomesOf, PATIENT, tryAll } from './deeds-tried.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import { DEEDS, openScene, type Scene } from './scene.ts'

/** How long the ledger may be away before admission stops, and a little. */
const FOLLOWED_WITHIN_MS = 2_500

let laboratory: Laboratory
let scene: Scene
beforeEach(async () => {
  laboratory = await openLaboratory({ servers: 1, seed: suiteSeed(), smallDisks: true })
  scene = await openScene(laboratory, suiteSeed())
}, 120_000)
afterEach(() => laboratory?.close())

test('[F7] the disk of the ledger is full: as if it were away, and afterwards everything is done once', {
  timeout: 240_000,
}, async () => {
  const { postgres, disks } = laboratory
  scene.room.history.fault('full disk', 'ledger', 'begin')
  disks?.postgres.fill()
  await writeUntilRefused()
  const { leave, ...others } = outcomesOf('PostgreSQL away')
  expect(
    await tryAll(
      scene,
      DEEDS.filter((deed) => deed !== 'leave'),
    ),
  ).toEqual(others)
  // Until then people are let in (R17); what was joined just now is what the ledger cannot follow.
  const unfollowedAt = performance.now()
  await waitUntil('two seconds are over', () => performance.now() - unfollowedAt > FOLLOWED_WITHIN_MS, PATIENT)
  expect(await tryAll(scene, ['leave'])).toEqual({ leave })
  expect(await scene.statusOfNext()).toBe('waiting')
  disks?.postgres.empty()
  // It gave up when there was no room for its log, and an operator has to start it again.
  await postgres.restart('kept')
  scene.room.history.fault('full disk', 'ledger', 'end')
  await expectRecovery(laboratory, scene)
})

test('[F7] the disk of Redis is full: as if it were away, and afterwards everything is done once', {
  timeout: 240_000,
}, async () => {
  const { redis, disks } = laboratory
  scene.room.history.fault('full disk', 'redis', 'begin')
  disks?.redis.fill()
  // With appendfsync always Redis gives up on a full disk, which the next heartbeats and joins make it notice.
  await waitUntil(
    'Redis has given up',
    async () => {
      await join()
      return !(await answersPing(redis.port).catch(() => false))
    },
    PATIENT,
  )
  expect(await tryAll(scene)).toEqual(outcomesOf('Redis away'))
  disks?.redis.empty()
  await redis.restart('kept')
  scene.room.history.fault('full disk', 'redis', 'end')
  await expectRecovery(laboratory, scene)
})

/** Fills the log of PostgreSQL, which is all that it needs for any change; nothing else is written. */
async function writeUntilRefused(): Promise<void> {
  const client = new Client({ connectionString: laboratory.postgres.url })
  client.on('error', () => undefined)
  await client.connect()
  const refused = async (): Promise<boolean> => {
    const written = client.query("select pg_logical_emit_message(true, 'test', repeat('x', 1000000))")
    return await written.then(
      () => false,
      () => true,
    )
  }
  await waitUntil('nothing can be written any more', refused, { ...PATIENT, everyMs: 0 })
  await client.end()
}

/** Another visitor joins, and may be refused. */
async function join(): Promise<void> {
  const visitor = scene.room.visitor('while it is full')
  const url = `${laboratory.servers[0]?.url}/api/rooms/${scene.room.roomId}/queue/join`
  const headers = { authorization: `Bearer ${visitor.accessToken}` }
  await scene.room.http.send({ method: 'POST', url, headers, body: {} })
}
