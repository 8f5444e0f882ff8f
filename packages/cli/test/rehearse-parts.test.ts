import { writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort, removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsedWrongly } from '../src/command.ts'
import { type ArrivalCurve, arrivalTimes } from '../src/rehearse/crowd/arrivals.ts'
import { temperOf } from '../src/rehearse/crowd/temper.ts'
import { TimerWheel } from '../src/rehearse/crowd/timer-wheel.ts'
import { AnswerReader, retryAfterMs } from '../src/rehearse/http/answer-reader.ts'
import { ConnectionPool, NoAnswer } from '../src/rehearse/http/connection-pool.ts'
import { Histogram } from '../src/rehearse/measure/histogram.ts'
import { secretsIn } from '../src/rehearse/measure/recorder.ts'
import { connections, readRehearseOptions } from '../src/rehearse/options.ts'

const CROWD = { churn: 0.3, slowPayers: 0.2, tabs: 0.1, bots: 0.05, thinkMs: 1_000, patienceMs: 5_000 }

describe('options', () => {
  it.each([
    [[]],
    [['--visitors', 'many']],
    [['--visitors', '0']],
    [['--visitors', '1.5']],
    [['--visitors', '10', '--churn', '2']],
    [['--visitors', '10', '--arrivals', 'never']],
    [['--visitors', '10', '--url', 'http://127.0.0.1:1']],
    [['--visitors', '10', '--url', 'here', '--event', 'x']],
    [['--visitors', '10', '--url', 'http://127.0.0.1:1', '--event', 'x', '--seats', '1']],
    [['--visitors', '10', '--compare', 'nothing.json']],
    [['--visitors', '10', '--quickly']],
  ])('[V10] %j are refused', (args) => {
    expect(() => readRehearseOptions(args, new Date())).toThrow(UsedWrongly)
  })

  it('[V10] more connections than the process may have open files are refused before the rush', () => {
    expect(connections('19800', 20_000)).toBe(19_800)
    expect(() => connections('19801', 20_000)).toThrow('needs 20001 open files, and this process may have 20000')
  })

  it('[V10] all have a value when only the crowd is given', () => {
    const options = readRehearseOptions(['--visitors', '5000'], new Date('2026-11-15T10:00:00Z'))
    expect(options).toMatchObject({ visitors: 5_000, seats: 500, capacity: 50, ratePerMinute: 1_500, target: null })
    expect(options.reportDir).toBe(join('rehearsals', '2026-11-15T10-00-00'))
  })
})

describe('arrivals', () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => removeFolder(folder))
  const times = (curve: ArrivalCurve, seed = 1) => arrivalTimes(curve, 1_000, 10_000, seed)
  const earlierThan = (all: Float64Array, ms: number) => all.filter((time) => time < ms).length

  it('[V5] come as the curve says, in order, and the same for the same seed', () => {
    expect(earlierThan(times('spike'), 1_000)).toBeGreaterThan(650)
    expect(earlierThan(times('steady'), 5_000)).toBeGreaterThan(450)
    expect(earlierThan(times('ramp'), 5_000)).toBeLessThan(300)
    for (const curve of ['spike', 'steady', 'ramp'] as const) {
      expect(times(curve)).toEqual(times(curve).toSorted())
      expect(times(curve).at(-1)).toBeLessThanOrEqual(10_000)
      expect(times(curve, 2)).not.toEqual(times(curve))
    }
  })

  it('[V5] follow a file, stretched over the duration', () => {
    const file = join(folder, 'arrivals.csv')
    writeFileSync(file, '# seconds\n100,somebody\n100\n100\n104\n')
    const recorded = times({ file })
    expect(earlierThan(recorded, 1)).toBeGreaterThan(650)
    expect(recorded.at(-1)).toBe(10_000)
    writeFileSync(file, 'soon\n')
    expect(() => times({ file })).toThrow(/one arrival a line/)
  })

  it('[V5] are the same people for the same seed, in the shares that were asked for', () => {
    const crowd = Array.from({ length: 2_000 }, (_, index) => temperOf(CROWD, 7, index))
    const share = (is: (temper: (typeof crowd)[number]) => boolean) => crowd.filter(is).length / crowd.length
    expect(share(({ churn }) => churn !== null)).toBeCloseTo(0.3, 1)
    expect(share(({ isSlowPayer }) => isSlowPayer)).toBeCloseTo(0.2, 1)
    expect(share(({ isBot }) => isBot)).toBeCloseTo(0.05, 1)
    expect(temperOf(CROWD, 7, 3).churn).toEqual(crowd[3]?.churn)
  })
})

describe('answers', () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}'
  const pieces =
    'HTTP/1.1 503 No\r\nRetry-After: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'

  it.each([[whole], [pieces]])('[V7] are understood however they are cut', (text) => {
    for (let size = 1; size <= text.length; size += 1) {
      const reader = new AnswerReader()
      const answers = []
      for (let at = 0; at < text.length; at += size) answers.push(reader.read(Buffer.from(text.slice(at, at + size))))
      expect(answers.pop()).toMatchObject({ body: '{"a":1}' })
      expect(answers.every((answer) => answer === null)).toBe(true)
    }
    expect(retryAfterMs(text)).toBe(text === pieces ? 2_000 : null)
  })

  it('[V7] have their secrets found wherever they stand, and only as fingerprints', () => {
    const token = 'x'.repeat(60)
    const found = secretsIn(`{"id":"0b0e7a1c-1111-4222-8333-444455556666","deep":{"t":"${token}"}}`)
    expect(found).toHaveLength(1)
    expect(found[0]).not.toContain('xxx')
  })
})

describe('connections', () => {
  let server: Server
  let port: number
  const sockets = new Set<Socket>()
  /** Answers nothing until it is told to. */
  const unanswered: Socket[] = []
  beforeAll(async () => {
    port = await freePort()
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => unanswered.push(socket))
    })
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const open = (answerMsMax: number) =>
    new ConnectionPool({ url: new URL(`http://127.0.0.1:${port}`), connectionsMax: 1, answerMsMax })
  const request = 'GET / HTTP/1.1\r\n\r\n'

  it('[V6] waiting for a connection counts, and the next request goes out as soon as one is free', async () => {
    const pool = open(10_000)
    const both = [pool.send(request), pool.send(request)]
    await expect.poll(() => unanswered.length).toBe(1)
    expect(pool.open).toBe(1)
    unanswered.pop()?.write('HTTP/1.1 204 No Content\r\n\r\n')
    await expect.poll(() => unanswered.length).toBe(1)
    unanswered.pop()?.write('HTTP/1.1 204 No Content\r\n\r\n')
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([204, 204])
    pool.close()
  })

  it('[V7] no answer in time, and a connection that ends, are unknown', async () => {
    const pool = open(300)
    await expect(Promise.all([pool.send(request), pool.send(request)])).rejects.toThrow(NoAnswer)
    const cut = pool.send(request)
    await expect.poll(() => unanswered.length).toBeGreaterThan(1)
    unanswered.pop()?.destroy()
    await expect(cut).rejects.toThrow(NoAnswer)
    pool.close()
    await expect(pool.send(request)).rejects.toThrow(NoAnswer)
  })
})

describe('measuring', () => {
  it('[V6] percentiles are right within two per cent', () => {
    const histogram = new Histogram()
    expect(histogram.percentile(0.5)).toBeNull()
    for (let value = 1; value <= 10_000; value += 1) histogram.add(value)
    for (const share of [0.01, 0.5, 0.99, 0.999]) {
      const percentile = histogram.percentile(share) ?? 0
      expect(Math.abs(percentile / (share * 10_000) - 1)).toBeLessThan(0.02)
    }
    expect(histogram.max).toBe(10_000)
  })

  it('[V6] one timer wakes every sleeper in time, and all at once at the end', async () => {
    const wheel = new TimerWheel()
    const startedAt = performance.now()
    const woken: number[] = []
    const sleepers = [50, 20, 30].map(async (ms) => {
      await wheel.sleep(ms)
      woken.push(ms)
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(ms - 10)
    })
    await Promise.all(sleepers)
    expect(woken).toEqual([20, 30, 50])
    const forever = wheel.sleep(1e9)
    wheel.stop()
    await forever
    await wheel.sleep(1e9)
  })
})
