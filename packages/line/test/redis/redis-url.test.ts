import { describe, expect, test } from 'vitest'
import { parseRedisUrl } from '../../src/redis/redis-url.ts'

describe('REDIS_URL', () => {
  test.each([
    ['redis://localhost', { kind: 'single', nodes: [{ host: 'localhost', port: 6379 }], tls: false }],
    [
      'rediss://ada:pa%3Ass@redis.example:6380/2',
      {
        ...{ kind: 'single', nodes: [{ host: 'redis.example', port: 6380 }], tls: true },
        ...{ username: 'ada', password: 'pa:ss', database: 2 },
      },
    ],
    [
      'redis://:secret@one:7000,two:7001',
      {
        kind: 'cluster',
        nodes: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 7001 },
        ],
        ...{ tls: false, password: 'secret' },
      },
    ],
    [
      'redis+sentinel://one,[::1]:26380/primary',
      {
        kind: 'sentinel',
        nodes: [
          { host: 'one', port: 26379 },
          { host: '::1', port: 26380 },
        ],
        ...{ tls: false, primaryName: 'primary' },
      },
    ],
  ])('[L38] %s is understood', (url, place) => {
    expect(parseRedisUrl(url)).toEqual(place)
  })

  test.each(['http://localhost', 'redis://', 'redis+sentinel://one:26379', 'redis://user:secret@one/x/y?z'])(
    '[L38] %s is refused without telling secrets',
    (url) => {
      expect(() => parseRedisUrl(url)).toThrow()
      expect(() => parseRedisUrl(url)).not.toThrow(/secret/)
    },
  )
})
