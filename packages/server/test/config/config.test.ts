import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { BadConfiguration, readConfig } from '../../src/config/config.ts'

const SECRET = Buffer.alloc(32, 7).toString('base64')
const DISTRIBUTED = { DATABASE_URL: 'postgres://u:p@db/seatwise', REDIS_URL: 'redis://cache', SEATWISE_SECRET: SECRET }

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof BadConfiguration) return error.problems
    throw error
  }
  return []
}

describe('settings', () => {
  it('[O1] nothing set runs embedded, with the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'embedded',
      host: '127.0.0.1',
      port: 3000,
      demo: true,
      rateLimits: true,
      logLevel: 'info',
      secrets: [],
      trustedProxies: [],
      publicUrl: null,
      drainSeconds: 0,
    })
  })

  it('[O60] workers are one by default, as many as set, or as many as cores; embedded is one process', () => {
    const workers = (value: string) => readConfig({ ...DISTRIBUTED, SEATWISE_WORKERS: value }).workers
    expect(['', '1', '3'].map(workers)).toEqual([1, 1, 3])
    expect(workers('auto')).toBe(availableParallelism())
    expect(readConfig({ SEATWISE_WORKERS: '1' }).workers).toBe(1)
    for (const value of ['0', '-1', '2.5', '257', 'all']) {
      expect(problemsOf({ ...DISTRIBUTED, SEATWISE_WORKERS: value })).toEqual([
        `SEATWISE_WORKERS must be "auto" or a whole number from 1 to 256, not "${value}".`,
      ])
    }
    for (const value of ['2', 'auto']) {
      expect(problemsOf({ SEATWISE_WORKERS: value })).toEqual([
        `SEATWISE_WORKERS=${value} needs DATABASE_URL and REDIS_URL: an embedded server is one process, because only one can open its data folder.`,
      ])
    }
  })

  it('[O1] an empty variable counts as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', SEATWISE_SECRET: '' })).toEqual(readConfig({}))
  })

  it('[O1] every problem is reported together, each by the name of its setting', () => {
    const problems = problemsOf({
      PORT: '70000',
      SEATWISE_DEMO: 'yes',
      SEATWISE_RATE_LIMITS: 'false',
      SEATWISE_LOG_LEVEL: 'loud',
      SEATWISE_ADMIN_EMAIL: 'nobody',
      SEATWISE_SECRET: 'c2hvcnQ=',
      SEATWISE_TRUST_PROXY: '10.0.0.0/8, 10.0.0.0/99, proxy',
      SEATWISE_PUBLIC_URL: 'https://example.com/shop',
      SEATWISE_DRAIN_SECONDS: '-1',
    })
    const names = problems.map((problem) => problem.split(' ')[0])
    expect(names).toEqual([
      'PORT',
      'SEATWISE_ADMIN_EMAIL',
      'SEATWISE_SECRET',
      'SEATWISE_DEMO',
      'SEATWISE_RATE_LIMITS',
      'SEATWISE_LOG_LEVEL',
      'SEATWISE_TRUST_PROXY',
      'SEATWISE_TRUST_PROXY',
      'SEATWISE_PUBLIC_URL',
      'SEATWISE_DRAIN_SECONDS',
      'SEATWISE_ADMIN_EMAIL',
    ])
  })

  it('[O1] the email and the password of the first operator go together', () => {
    expect(problemsOf({ SEATWISE_ADMIN_PASSWORD: 'nine green bottles' })).toHaveLength(1)
    expect(problemsOf({ SEATWISE_ADMIN_EMAIL: 'a@b.cz', SEATWISE_ADMIN_PASSWORD: 'nine green bottles' })).toEqual([])
  })

  it('[O1] payments go to the sandbox, or to Stripe or Mollie with everything that they need', () => {
    expect(readConfig({}).payments).toEqual({ provider: 'sandbox' })
    const stripe = {
      SEATWISE_PAYMENTS: 'stripe',
      SEATWISE_STRIPE_KEY: 'sk_test_1',
      SEATWISE_STRIPE_WEBHOOK_SECRET: 'whsec_1',
      SEATWISE_PUBLIC_URL: 'https://tickets.example.com',
    }
    const settings = { provider: 'stripe', key: 'sk_test_1', webhookSecret: 'whsec_1', feePercent: 0 }
    expect(readConfig(stripe).payments).toEqual({ ...settings, url: 'https://api.stripe.com' })
    const elsewhere = { ...stripe, SEATWISE_STRIPE_URL: 'http://127.0.0.1:12111' }
    expect(readConfig(elsewhere).payments).toEqual({ ...settings, url: 'http://127.0.0.1:12111' })
    const fee = (SEATWISE_STRIPE_FEE_PERCENT: string) => ({ ...stripe, SEATWISE_STRIPE_FEE_PERCENT })
    expect(readConfig(fee('2.125')).payments).toMatchObject({ feePercent: 2.125 })
    for (const bad of ['101', '-1', '2.1255', '2,5', '5%']) {
      expect(problemsOf(fee(bad))).toEqual([expect.stringMatching(/^SEATWISE_STRIPE_FEE_PERCENT must be/)])
    }
    for (const missing of ['SEATWISE_STRIPE_KEY', 'SEATWISE_STRIPE_WEBHOOK_SECRET', 'SEATWISE_PUBLIC_URL']) {
      expect(problemsOf({ ...stripe, [missing]: '' })).toEqual([expect.stringContaining(missing)])
    }
    const mollie = {
      SEATWISE_PAYMENTS: 'mollie',
      SEATWISE_MOLLIE_KEY: 'test_1',
      SEATWISE_PUBLIC_URL: 'https://tickets.example.com',
    }
    expect(readConfig(mollie).payments).toEqual({ provider: 'mollie', key: 'test_1', url: 'https://api.mollie.com' })
    for (const missing of ['SEATWISE_MOLLIE_KEY', 'SEATWISE_PUBLIC_URL']) {
      expect(problemsOf({ ...mollie, [missing]: '' })).toEqual([expect.stringContaining(missing)])
    }
    expect(problemsOf({ SEATWISE_MOLLIE_URL: 'mollie' })).toEqual([expect.stringMatching(/^SEATWISE_MOLLIE_URL must/)])
    expect(problemsOf({ SEATWISE_PAYMENTS: 'gold' })).toEqual([expect.stringMatching(/^SEATWISE_PAYMENTS must be/)])
    expect(problemsOf({ SEATWISE_STRIPE_URL: 'stripe' })).toEqual([expect.stringMatching(/^SEATWISE_STRIPE_URL must/)])
  })

  it('[O1] mail needs an SMTP server and a sender address', () => {
    const from = { SEATWISE_MAIL_FROM: 'Box office <tickets@example.com>' }
    const smtpUrl = 'smtps://box:hunter2secret@mail.example.com:465'
    expect(readConfig({ ...from, SEATWISE_SMTP_URL: smtpUrl })).toMatchObject({ smtpUrl })
    expect(problemsOf({ SEATWISE_SMTP_URL: smtpUrl }).join()).toMatch(/^SEATWISE_SMTP_URL needs SEATWISE_MAIL_FROM/)
    expect(problemsOf({ ...from, SEATWISE_SMTP_URL: 'http://hunter2secret@mail' })).toEqual([
      expect.stringMatching(/^SEATWISE_SMTP_URL must look like (?!.*hunter2secret)/),
    ])
    for (const SEATWISE_MAIL_FROM of ['nobody', 'a@b, c@d', 'Box <a@b> <c@d>', 'a@b\nBcc: c@d']) {
      expect(problemsOf({ SEATWISE_MAIL_FROM })).toHaveLength(1)
    }
  })

  it('[O2] both stores make it distributed, and there is no demo then unless asked for', () => {
    expect(readConfig(DISTRIBUTED)).toMatchObject({ mode: 'distributed', demo: false })
    expect(readConfig({ ...DISTRIBUTED, SEATWISE_DEMO: 'on' })).toMatchObject({ demo: true })
  })

  it('[O2] one store without the other is a problem that says so', () => {
    const { DATABASE_URL, REDIS_URL, SEATWISE_SECRET } = DISTRIBUTED
    expect(problemsOf({ DATABASE_URL, SEATWISE_SECRET }).join()).toMatch(/REDIS_URL is not: set both .* or neither/)
    expect(problemsOf({ REDIS_URL, SEATWISE_SECRET }).join()).toMatch(/DATABASE_URL is not: set both .* or neither/)
    expect(problemsOf({ DATABASE_REPLICA_URL: 'postgres://replica/x' }).join()).toMatch(/needs DATABASE_URL/)
  })

  it('[O3] a misspelt setting is a problem', () => {
    expect(problemsOf({ SEATWISE_DEMOO: 'off' })).toEqual([expect.stringContaining('SEATWISE_DEMOO')])
    expect(problemsOf({ SOMETHING_ELSE: 'x' })).toEqual([])
  })

  it('[O4] distributed needs a secret, and several of them make a rotation', () => {
    const { SEATWISE_SECRET: _, ...withoutSecret } = DISTRIBUTED
    expect(problemsOf(withoutSecret)).toEqual([expect.stringContaining('SEATWISE_SECRET is required')])
    const other = Buffer.alloc(48, 9).toString('base64')
    const { secrets } = readConfig({ ...DISTRIBUTED, SEATWISE_SECRET: `${SECRET}, ${other}` })
    expect(secrets).toEqual([Buffer.alloc(32, 7), Buffer.alloc(48, 9)])
  })

  it('[O5] the address of Redis is parsed, and its problems are reported', () => {
    expect(readConfig({ ...DISTRIBUTED, REDIS_URL: 'redis://a,b:7001' }).redis).toMatchObject({ kind: 'cluster' })
    expect(problemsOf({ ...DISTRIBUTED, REDIS_URL: 'redis+sentinel://a' })).toEqual([
      expect.stringMatching(/^REDIS_URL names Sentinels but not the primary/),
    ])
  })

  it('[O6] no problem repeats a value that may hold a secret', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://root:hunter2secret@db/x',
      DATABASE_REPLICA_URL: 'hunter2secret',
      REDIS_URL: 'http://:hunter2secret@cache',
      SEATWISE_SECRET: 'hunter2secret',
      SEATWISE_ADMIN_EMAIL: 'hunter2secret',
    })
    expect(problems.length).toBeGreaterThanOrEqual(5)
    expect(problems.join('\n')).not.toContain('hunter2secret')
  })
})
