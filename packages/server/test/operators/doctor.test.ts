import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Finding } from '../../src/operators/doctor/finding.ts'
import { judgeClock } from '../../src/operators/doctor/judge-clock.ts'
import { judgeMachine, type Machine } from '../../src/operators/doctor/judge-machine.ts'
import { judgePostgresFacts, type PostgresFacts } from '../../src/operators/doctor/judge-postgres.ts'
import { judgeRedisFacts, judgeScriptLimit, parseInfo } from '../../src/operators/doctor/judge-redis.ts'
import { judgeSettings } from '../../src/operators/doctor/judge-settings.ts'

const SAFE = {
  DATABASE_URL: 'postgres://seatwise@db.example/seatwise',
  REDIS_URL: 'redis://redis.example',
  SEATWISE_SECRET: 'q83vEjRWeJCrze8SNFZ4kAABAgMEBQYHCAkKCwwNDg8=',
  SEATWISE_PUBLIC_URL: 'https://tickets.example',
  SEATWISE_TRUST_PROXY: '10.0.0.1',
  SEATWISE_PAYMENTS: 'stripe',
  SEATWISE_STRIPE_KEY: 'sk_test_1',
  SEATWISE_STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SEATWISE_SMTP_URL: 'smtps://mail.example',
  SEATWISE_MAIL_FROM: 'tickets@example.com',
  SEATWISE_STRONG_SIGN_IN: 'required',
  SEATWISE_DRAIN_SECONDS: '15',
}

describe('[O50] settings', () => {
  const judge = (env: Record<string, string>) => notGood(judgeSettings(readConfig({ ...SAFE, ...env })))

  it('[O50] safe ones are all good', () => {
    expect(judge({})).toEqual([])
  })

  it.each([
    ['secret', 'bad', { SEATWISE_SECRET: Buffer.alloc(32, 7).toString('base64') }],
    ['secret 2', 'bad', { SEATWISE_SECRET: `${SAFE.SEATWISE_SECRET},${Buffer.alloc(32).toString('base64')}` }],
    ['proxy', 'bad', { SEATWISE_TRUST_PROXY: '' }],
    ['proxy', 'bad', { SEATWISE_TRUST_PROXY: '0.0.0.0/0' }],
    ['strong sign-in', 'weak', { SEATWISE_STRONG_SIGN_IN: 'off' }],
    ['rate limits', 'bad', { SEATWISE_RATE_LIMITS: 'off' }],
    ['webhooks', 'bad', { SEATWISE_PRIVATE_WEBHOOKS: 'on' }],
    ['demo sale', 'weak', { SEATWISE_DEMO: 'on' }],
    ['workers', 'weak', { SEATWISE_WORKERS: '256' }],
    ['draining', 'weak', { SEATWISE_DRAIN_SECONDS: '0' }],
    ['payments', 'weak', { SEATWISE_PAYMENTS: 'sandbox' }],
    ['mail', 'weak', { SEATWISE_SMTP_URL: '', SEATWISE_MAIL_FROM: '' }],
  ])('[O50] %s is %s with %o', (what, verdict, env) => {
    expect(judge(env)).toEqual([[what, verdict]])
  })

  it('[O50] a public address without https is bad', () => {
    // Where browsers make no passkeys the setting is refused.
    const env = { SEATWISE_PUBLIC_URL: 'http://tickets.example', SEATWISE_STRONG_SIGN_IN: 'off' }
    expect(judge(env)).toEqual([
      ['public address', 'bad'],
      ['strong sign-in', 'weak'],
    ])
  })

  it('[O50] without a public address, distributed or open to others, it is bad; alone on one machine it is good', () => {
    const { SEATWISE_PUBLIC_URL: _, ...rest } = SAFE
    const sandbox = {
      SEATWISE_STRONG_SIGN_IN: 'off',
      SEATWISE_PAYMENTS: 'sandbox',
      SEATWISE_STRIPE_KEY: '',
      SEATWISE_STRIPE_WEBHOOK_SECRET: '',
    }
    expect(notGood(judgeSettings(readConfig({ ...rest, ...sandbox })))).toContainEqual(['public address', 'bad'])
    expect(notGood(judgeSettings(readConfig({ HOST: '0.0.0.0' })))).toEqual([['public address', 'bad']])
    expect(notGood(judgeSettings(readConfig({})))).toEqual([])
  })

  it('[O50] what breaks the program on purpose is bad', () => {
    const env = { ...SAFE, SEATWISE_FAULTS: 'join.before-step=kill', NODE_ENV: 'test' }
    expect(notGood(judgeSettings(readConfig(env)))).toEqual([['faults', 'bad']])
  })
})

describe('[O51] PostgreSQL', () => {
  const FINE: PostgresFacts = {
    version: '15.8 (Debian)',
    isolation: 'read committed',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    max_connections: '100',
    in_recovery: false,
    is_encrypted: true,
    standbys: 1,
    slots: 1,
    idle_slots: '',
    slot_wal_max: '20GB',
  }
  const judge = (facts: Partial<PostgresFacts>, url = 'postgres://db.example/x') =>
    notGood(judgePostgresFacts({ ...FINE, ...facts }, url))

  it('[O51] without a slot no WAL is kept for one', () => {
    expect(judge({ slots: 0, slot_wal_max: '-1' })).toEqual([])
  })

  it('[O51] a sound one is all good, also without encryption where nothing leaves the machine', () => {
    expect(judge({})).toEqual([])
    expect(judge({ is_encrypted: false }, 'postgres://127.0.0.1/x')).toEqual([])
  })

  it.each([
    ['ledger version', 'bad', { version: '14.9' }],
    ['ledger role', 'bad', { in_recovery: true }],
    ['ledger durability', 'bad', { fsync: 'off' }],
    ['ledger durability', 'bad', { full_page_writes: 'off' }],
    ['ledger durability', 'bad', { synchronous_commit: 'off' }],
    ['ledger isolation', 'bad', { isolation: 'serializable' }],
    ['ledger connections', 'bad', { max_connections: '20' }],
    ['ledger standbys', 'weak', { standbys: 0 }],
    ['ledger slots', 'weak', { idle_slots: 'seatwise_outbox' }],
    ['ledger slots', 'weak', { slot_wal_max: '-1' }],
    ['ledger encryption', 'weak', { is_encrypted: false }],
  ])('[O51] %s is %s with %o', (what, verdict, facts) => {
    expect(judge(facts)).toEqual([[what, verdict]])
  })
})

const NO_SLOTS = { slots: 0, idle_slots: '', slot_wal_max: '-1' }

it('[O51] each worker takes connections of its own', () => {
  const facts = { version: '15.8', isolation: 'read committed', fsync: 'on', full_page_writes: 'on' }
  const sound = { ...facts, synchronous_commit: 'on', in_recovery: false, is_encrypted: true, standbys: 1, ...NO_SLOTS }
  const judge = (max_connections: string) =>
    notGood(judgePostgresFacts({ ...sound, max_connections }, 'postgres://db.example/x', 4))
  expect(judge('120')).toEqual([])
  expect(judge('100')).toEqual([['ledger connections', 'bad']])
})

describe('[O52] Redis', () => {
  const FINE = {
    redis_version: '7.2.5',
    role: 'master',
    maxmemory_policy: 'noeviction',
    used_memory: '1000000',
    maxmemory: '1000000000',
    aof_enabled: '1',
    aof_last_write_status: 'ok',
    connected_slaves: '1',
    min_slaves_good_slaves: '1',
  }
  const judge = (facts: Record<string, string>) => {
    const text = Object.entries({ ...FINE, ...facts }).map(([name, value]) => `${name}:${value}`)
    return notGood(judgeRedisFacts(parseInfo(['# Server', ...text, ''].join('\r\n'))))
  }

  it('[O52] a sound one is all good', () => {
    expect(judge({})).toEqual([])
  })

  it.each([
    ['redis version', 'bad', { redis_version: '6.2.14' }],
    ['redis role', 'bad', { role: 'slave' }],
    ['redis eviction', 'bad', { maxmemory_policy: 'allkeys-lru' }],
    ['redis memory', 'weak', { maxmemory: '0' }],
    ['redis memory', 'bad', { used_memory: '900000000' }],
    ['redis persistence', 'weak', { aof_enabled: '0' }],
    ['redis persistence', 'bad', { aof_last_write_status: 'err' }],
    ['redis replicas', 'weak', { connected_slaves: '0' }],
  ])('[O52] %s is %s with %o', (what, verdict, facts) => {
    expect(judge(facts)).toEqual([[what, verdict]])
  })

  it('[O52] replicas are weak while no write requires one', () => {
    const { min_slaves_good_slaves: _, ...rest } = FINE
    expect(notGood(judgeRedisFacts(new Map(Object.entries(rest))))).toEqual([['redis replicas', 'weak']])
  })

  it('[O52] a short script time limit is bad; when it cannot be read, nothing is reported', () => {
    expect(notGood(judgeScriptLimit(50))).toEqual([['redis scripts', 'bad']])
    expect(judgeScriptLimit(5_000)).toMatchObject([{ verdict: 'good' }])
    expect(judgeScriptLimit(0)).toMatchObject([{ verdict: 'good' }])
    expect(judgeScriptLimit(null)).toEqual([])
  })
})

describe('[O53] machine and clocks', () => {
  const FINE: Machine = { nodeMajor: 26, descriptors: 1_048_576, memoryBytes: 8 * 1_024 ** 3, cores: 2 }

  it.each([
    ['file descriptors', 'bad', { descriptors: 1_024 }],
    ['file descriptors', 'weak', { descriptors: 10_000 }],
    ['node', 'bad', { nodeMajor: 20 }],
    ['machine', 'weak', { memoryBytes: 512 * 1_024 ** 2 }],
  ])('[O53] %s is %s with %o', (what, verdict, machine) => {
    expect(notGood(judgeMachine({ ...FINE, ...machine }))).toEqual([[what, verdict]])
  })

  it('[O53] enough of everything is good, and this machine can be read', () => {
    expect(notGood(judgeMachine(FINE))).toEqual([])
    expect(notGood(judgeMachine({ ...FINE, descriptors: Number.POSITIVE_INFINITY }))).toEqual([])
    expect(judgeMachine().map(({ what }) => what)).toEqual(['node', 'file descriptors', 'machine'])
  })

  it.each([
    [0, 0, 'good'],
    [4_000, 2_000, 'good'], // The question took 4 s, and the store's clock lies between asking and hearing.
    [0, 499, 'good'],
    [0, 600, 'weak'],
    [10, -600, 'weak'],
    [0, 6_000, 'bad'],
    [10, -6_000, 'bad'],
  ])('[O53] a question that took %i ms and a clock %i ms after it was asked: %s', async (tookMs, offsetMs, verdict) => {
    const times = [1_000_000, 1_000_000 + tookMs]
    const now = () => times.shift() ?? Number.NaN
    expect(await judgeClock('redis', async () => 1_000_000 + offsetMs, now)).toMatchObject({ verdict })
  })
})

function notGood(findings: readonly Finding[]): [string, string][] {
  for (const { says } of findings) expect(says).not.toBe('')
  return findings.filter(({ verdict }) => verdict !== 'good').map(({ what, verdict }) => [what, verdict])
}
