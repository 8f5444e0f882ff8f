import { postgresDatabase, redisPrefix } from '@seatwise/testbench'
import { Client } from 'pg'
import { createClient } from 'redis'
import { expect, test } from 'vitest'

test('[T1] every database on the shared PostgreSQL is empty, UTF-8 and separate', async () => {
  const one = await postgresDatabase()
  const other = await postgresDatabase()
  const client = new Client({ connectionString: one.url })
  const elsewhere = new Client({ connectionString: other.url })
  await client.connect()
  await elsewhere.connect()

  await client.query('create table only_here (id int)')
  const { rows } = await elsewhere.query("select to_regclass('only_here') as found, lower('Ữ') as lowered")
  expect(rows).toEqual([{ found: null, lowered: 'ữ' }])

  await client.end()
  await elsewhere.end()
  await one.drop()
  await other.drop()
})

test('[T1] every prefix on the shared Redis is unique', async () => {
  const { url, prefix } = redisPrefix()
  const client = createClient({ url })
  await client.connect()
  await client.set(`${prefix}key`, 'value')
  expect(await client.get(`${prefix}key`)).toBe('value')
  expect(await client.get(`${redisPrefix().prefix}key`)).toBeNull()
  await client.close()
})
