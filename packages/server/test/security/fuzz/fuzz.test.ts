import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from '../security-world.ts'
import { fuzz } from './fuzz.ts'
import { judge } from './judge.ts'

const CALLS = 6_000

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.bench.server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.close())

it('[X26] every route answers thousands of hostile calls within its catalogue, and keeps working', {
  timeout: 120_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  const report = await fuzz(world, { seed, calls: CALLS })
  console.log(`fuzz: seed ${seed}, ${report.calls} calls, ${JSON.stringify([...report.statuses].sort())}`)
  expect({ seed, problems: report.problems }).toEqual({ seed, problems: [] })
  expect(report.calls).toBeGreaterThanOrEqual(5_000)
  // It proves something only where it gets past the door.
  expect(report.reached.size / report.operations).toBeGreaterThan(0.6)
  expect((report.statuses.get(503) ?? 0) / report.calls).toBeLessThan(0.02)
  for (const path of ['/health/live', '/health/ready']) {
    expect([path, (await world.bench.server.app.inject(path)).statusCode]).toEqual([path, 200])
  }
})

it('[X26 control] a 500, an unknown code and internal details are found', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const error = { statusCode: 400, error: 'Bad Request', code: 'BAD_REQUEST', message: '', timestamp: '', path: '/' }
  const heard = (status: number, more: object) => ({ status, headers, body: JSON.stringify({ ...error, ...more }) })
  expect(judge(heard(400, {}))).toBeNull()
  expect(judge(heard(500, { statusCode: 500, code: 'INTERNAL' }))).toBe('a 500')
  expect(judge(heard(400, { code: 'NO_SUCH_CODE' }))).toContain('not in the catalogue')
  expect(judge(heard(404, {}))).toContain('with 404')
  expect(judge(heard(400, { message: 'invalid input syntax for type uuid' }))).toBe('insides of the server')
  expect(judge({ status: 400, headers: { 'content-type': 'text/plain' }, body: 'no' })).toContain('not JSON')
  expect(judge(heard(503, { statusCode: 503, code: 'UNAVAILABLE' }))).toBe('no Retry-After')
})
