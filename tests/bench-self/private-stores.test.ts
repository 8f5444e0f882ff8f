import {
  findBinary,
  type Postgres,
  type Redis,
  redisCommand,
  startPostgres,
  startRedis,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { expect, test } from 'vitest'

test('[T2] a program that is missing is named in one sentence', () => {
  expect(() => findBinary('no-such-program', 'the package no-such-package', '/usr/bin:/bin')).toThrow(
    /^The program no-such-program is not installed: install the package no-such-package and run the tests again\.$/,
  )
})

test('[T3] a durable Redis keeps its data over kill -9, and can come back empty on the same port', async () => {
  const redis = await startRedis({ durable: true })
  await redisCommand(redis.port, 'SET', 'key', 'value')
  const firstPid = redis.pid
  await redis.kill()
  await expect(redisCommand(redis.port, 'GET', 'key')).rejects.toThrow()
  await redis.restart('kept')
  expect(redis.pid).not.toBe(firstPid)
  expect(await redisCommand(redis.port, 'GET', 'key')).toBe('value')
  await redis.restart('empty')
  expect(await redisCommand(redis.port, 'GET', 'key')).toBeNull()
  await redis.discard()
})

test('[T3] a durable PostgreSQL keeps its commits over kill -9, and can come back empty on the same port', async () => {
  const postgres = await startPostgres({ durable: true })
  await query(postgres, 'create table fact as select 1 as id')
  await postgres.kill()
  await postgres.restart('kept')
  expect(await query(postgres, 'select id from fact')).toEqual([{ id: 1 }])
  await postgres.stop()
  await postgres.restart('empty')
  expect(await query(postgres, "select to_regclass('fact') as found")).toEqual([{ found: null }])
  await postgres.discard()
})

test('[T3] a paused Redis answers no command, and all of them once it is resumed', async () => {
  const redis = await startRedis()
  redis.pause()
  // A process that runs on another core stops at its next interrupt.
  await waitUntil('Redis stands still', async () => (await processState(redis.pid)) === 'T')
  let answered = false
  const answer = fetchAnswer(redis).then((value) => {
    answered = true
    return value
  })
  expect(await processState(redis.pid)).toBe('T')
  expect(answered).toBe(false)
  redis.resume()
  expect(await answer).toBe('PONG')
  await redis.discard()
})

function fetchAnswer(redis: Redis): Promise<unknown> {
  return redisCommand(redis.port, 'PING')
}

async function processState(pid: number): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return /^State:\s+(\w)/m.exec(status)?.[1] ?? ''
}

async function query(postgres: Postgres, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const { rows } = await client.query(statement)
    return rows
  } finally {
    await client.end()
  }
}
