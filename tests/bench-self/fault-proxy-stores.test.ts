import { type FaultProxy, postgresDatabase, redisPrefix, startFaultProxy, testSeed } from '@seatwise/testbench'
import { Client } from 'pg'
import { createClient } from 'redis'
import { expect, test } from 'vitest'

test('[T12] Redis applied the command although its reply was swallowed', async () => {
  const { proxy, client, direct, prefix } = await redisThroughProxy()
  const key = `${prefix}counter`
  const swallowed = proxy.swallowReply({ request: 2, matching: /^INCR/ })

  expect(await client.incr(key)).toBe(1)
  await expect(client.incr(key)).rejects.toThrow()
  expect(await swallowed).toBe(`INCR ${key}`)
  expect(await direct.get(key)).toBe('2')

  client.destroy()
  await direct.close()
  await proxy.stop()
})

test('[T12] replies before the swallowed one arrive, in a pipeline too', async () => {
  const { proxy, client, direct, prefix } = await redisThroughProxy()
  const key = `${prefix}counter`
  const swallowed = proxy.swallowReply({ request: 3, matching: /^INCR/ })

  const answers = await Promise.allSettled([1, 2, 3].map(() => client.incr(key)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  await swallowed
  expect(await direct.get(key)).toBe('3')

  client.destroy()
  await direct.close()
  await proxy.stop()
})

test('[T12] with a chance, the seed decides which replies are lost, and every command is applied', async () => {
  const seed = testSeed()
  const pattern = async (): Promise<string> => {
    const { proxy, client, direct, prefix } = await redisThroughProxy(seed)
    proxy.swallowReplies(0.3, /^INCR/)
    let outcome = ''
    for (let index = 0; index < 30; index += 1) {
      const lost = await client.incr(`${prefix}counter`).then(
        () => false,
        () => true,
      )
      if (lost) await client.ping().catch(() => undefined)
      outcome += lost ? 'x' : '.'
    }
    expect(await direct.get(`${prefix}counter`)).toBe('30')
    expect(proxy.swallowed()).toBe([...outcome].filter((letter) => letter === 'x').length)
    client.destroy()
    await direct.close()
    await proxy.stop()
    return outcome
  }
  const first = await pattern()
  expect(first).toContain('x')
  expect(await pattern()).toBe(first)
})

test('[T12] PostgreSQL committed although the reply was swallowed, with the simple and the extended protocol', async () => {
  const database = await postgresDatabase()
  const direct = new Client({ connectionString: database.url })
  await direct.connect()
  await direct.query('create table fact (id int)')
  const proxy = await startFaultProxy({
    targetPort: Number(new URL(database.url).port),
    protocol: 'postgres',
    seed: testSeed(),
  })

  const statements = [{ text: 'insert into fact values (1)' }, { text: 'insert into fact values ($1)', values: [2] }]
  for (const statement of statements) {
    const client = await connectThrough(proxy, database.url)
    const swallowed = proxy.swallowReply({ matching: /^insert/ })
    await client.query('select 1')
    await expect(client.query(statement)).rejects.toThrow()
    expect(await swallowed).toBe(statement.text)
    await client.end()
  }
  const { rows } = await direct.query('select id from fact order by id')
  expect(rows).toEqual([{ id: 1 }, { id: 2 }])

  await direct.end()
  await proxy.stop()
  await database.drop()
})

async function redisThroughProxy(seed = testSeed()) {
  const { url, prefix } = redisPrefix()
  const target = new URL(url)
  const proxy = await startFaultProxy({ targetPort: Number(target.port), protocol: 'redis', seed })
  target.port = String(proxy.port)
  const client = createClient({ url: target.href, commandOptions: {}, socket: { reconnectStrategy: 1 } })
  client.on('error', () => undefined) // The tests break this connection on purpose.
  const direct = createClient({ url })
  await Promise.all([client.connect(), direct.connect()])
  return { proxy, client, direct, prefix }
}

async function connectThrough(proxy: FaultProxy, url: string): Promise<Client> {
  const through = new URL(url)
  through.port = String(proxy.port)
  const client = new Client({ connectionString: through.href })
  client.on('error', () => undefined) // The tests break this connection on purpose.
  await client.connect()
  return client
}
