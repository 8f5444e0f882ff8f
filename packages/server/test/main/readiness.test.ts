import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ledger, openLedger } from '@seatwise/ledger'
import { connectRedis, parseRedisUrl } from '@seatwise/line'
import {
  copyLedgerTemplate,
  openScratchLedger,
  redisCommand,
  removeFolder,
  startRedis,
  temporaryFolder,
} from '@seatwise/testbench'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReadiness } from '../../src/main/readiness.ts'

const log = pino({ level: 'silent' })
/** Longer than a proof of writing counts. */
const LATER_MS = 10_000

/** A clock that is moved, so that no test waits for a proof to become too old. */
function clock() {
  let time = 0
  const wait = (): void => {
    time += LATER_MS
  }
  return { now: () => time, wait }
}

let scratch: Ledger
beforeAll(async () => {
  scratch = await openScratchLedger()
})
afterAll(() => scratch.close())

it('[O56] an embedded server is not ready while its disk takes no writes', async () => {
  const dataDir = await temporaryFolder()
  await copyLedgerTemplate(dataDir)
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  const { now, wait } = clock()
  const readiness = createReadiness({ ledger, redis: null, log, now })
  try {
    expect(await readiness.findMissing()).toEqual([])
    // Every write to this device fails with ENOSPC, as on a full disk.
    await rm(join(dataDir, 'readiness-probe'))
    await symlink('/dev/full', join(dataDir, 'readiness-probe'))
    wait()
    expect(await readiness.findMissing()).toEqual(['ledger'])
    await rm(join(dataDir, 'readiness-probe'))
    wait()
    expect(await readiness.findMissing()).toEqual([])
  } finally {
    await ledger.close()
    await removeFolder(dataDir)
  }
})

it('[O56] nor is one with a Redis that answers and refuses writes', async () => {
  const redis = await startRedis()
  const target = parseRedisUrl(redis.url)
  if (target.status === 'bad') throw new Error(target.problem)
  const connection = await connectRedis(target.target, { onError: () => undefined })
  const { now, wait } = clock()
  const readiness = createReadiness({ ledger: scratch, redis: connection, log, now })
  try {
    expect(await readiness.findMissing()).toEqual([])
    for (const [setting, refusing, taking] of [
      ['maxmemory', '1', '0'],
      ['min-replicas-to-write', '1', '0'],
    ] as const) {
      await redisCommand(redis.port, 'CONFIG', 'SET', setting, refusing)
      await connection.ping()
      wait()
      expect([setting, await readiness.findMissing()]).toEqual([setting, ['redis']])
      await redisCommand(redis.port, 'CONFIG', 'SET', setting, taking)
      wait()
      expect([setting, await readiness.findMissing()]).toEqual([setting, []])
    }
  } finally {
    await connection.close()
    await redis.discard()
  }
})

it('[O56] however often it is asked, the stores write once in three seconds', async () => {
  const { now, wait } = clock()
  let proofs = 0
  const proveWritable = async (): Promise<void> => {
    proofs += 1
    await scratch.proveWritable()
  }
  const counting = { ...scratch, proveWritable }
  const readiness = createReadiness({ ledger: counting, redis: null, log, now })
  for (let round = 1; round <= 2; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => readiness.findMissing()))
    await readiness.findMissing()
    expect(proofs).toBe(round)
    wait()
  }
})
