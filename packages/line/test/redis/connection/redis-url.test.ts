import { describe, expect, test } from 'vitest'
import { parseRedisUrl } from '../../../src/index.ts'

const NO_USER = { username: null, password: null }

describe('REDIS_URL', () => {
  test.each([
    ['redis://localhost', { ...NO_USER, nodes: [{ host: 'localhost', port: 6_379 }], tls: false, database: 0 }],
    ['redis://[::1]:6380', { ...NO_USER, nodes: [{ host: '::1', port: 6_380 }], tls: false, database: 0 }],
    [
      'rediss://ada:pa%3Ass@redis.example:6380/2',
      {
        ...{ nodes: [{ host: 'redis.example', port: 6_380 }], tls: true },
        ...{ username: 'ada', password: 'pa:ss', database: 2 },
      },
    ],
    [
      'rediss://ada:p%40ss@cache:7000/3',
      {
        ...{ nodes: [{ host: 'cache', port: 7_000 }], tls: true },
        ...{ username: 'ada', password: 'p@ss', database: 3 },
      },
    ],
  ])('[O5] [L38] one host is a single server: %s', (url, target) => {
    const whole = { kind: 'single', ...target, primaryName: null }
    expect(parseRedisUrl(url)).toEqual({ status: 'parsed', target: whole })
  })

  test('[O5] [L38] several hosts are a Cluster', () => {
    const nodes = [
      { host: 'one', port: 6_379 },
      { host: 'two', port: 7_001 },
    ]
    const login = { username: null, password: 'secret' }
    expect(parseRedisUrl('redis://:secret@one,two:7001')).toEqual({
      status: 'parsed',
      target: { kind: 'cluster', nodes, ...login, tls: false, database: 0, primaryName: null },
    })
  })

  test('[O5] [L38] Sentinels come with the name of the primary', () => {
    const nodes = [
      { host: 'one', port: 26_379 },
      { host: '::1', port: 26_380 },
    ]
    expect(parseRedisUrl('redis+sentinel://one,[::1]:26380/primary')).toEqual({
      status: 'parsed',
      target: { kind: 'sentinel', nodes, ...NO_USER, tls: false, database: 0, primaryName: 'primary' },
    })
  })

  test.each([
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://cache:99999',
    'redis://cache:0',
    'redis://cache/one',
    'redis://a,b/1',
    'redis://a,,b',
    'redis+sentinel://a,b',
    'redis+sentinel://one:26379',
    'redis://%zz@cache',
    'redis://user:secret@one/x/y?z',
    'redis://user:secret@one:port',
  ])('[O5] [O6] [L38] %s is refused without telling secrets', (url) => {
    const parsed = parseRedisUrl(url)
    expect(parsed.status).toBe('bad')
    expect(JSON.stringify(parsed)).not.toContain('secret')
  })
})
