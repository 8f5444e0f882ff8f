import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ADMIN,
  type Child,
  expectFields,
  removeFolder,
  SECRET,
  type Server,
  seatwiseProgram,
  shape,
  startChild,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Quick people who stay: no buyer holds a seat until it expires. */
const QUICK = ['--duration', '1', '--think', '0.05', '--churn', '0', '--slow-payers', '0', '--seed', '3']

describe('seatwise rehearse', { timeout: 120_000 }, () => {
  let folder: string
  let browser: Browser | undefined
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(async () => {
    await browser?.close()
    await removeFolder(folder)
  })

  const start = async (args: readonly string[], env: Record<string, string> = {}): Promise<Child> =>
    startChild('seatwise rehearse', process.execPath, [...(await seatwiseProgram()), 'rehearse', ...args], {
      ...{ cwd: folder, env: { PATH: process.env.PATH, ...env } },
    })
  const run = async (args: readonly string[], env: Record<string, string> = {}) => {
    const child = await start(args, env)
    const { code } = await child.exited
    return { code, output: child.output() }
  }
  const reportIn = (name: string) => JSON.parse(readFileSync(join(folder, name, 'report.json'), 'utf8'))

  it('[V1] [V13] sells every seat once, verifies it, and says go', async () => {
    const { code, output } = await run([
      '--visitors',
      '60',
      '--seats',
      '12',
      ...QUICK,
      '--bots',
      '0.1',
      '--report',
      'own',
    ])
    expect(output).toMatch(/^GO$/m)
    expect(code).toBe(0)
    const report = reportIn('own')
    expect(report).toMatchObject({ visitors: 60, arrived: 60, seats: 12, sold: 12, oversold: 0, violations: 0 })
    expect(report).toMatchObject({ isComplete: true, seed: 3, verifiedFrom: 'ledger', judgement: { go: true } })
    expect(report.joins.count).toBeGreaterThanOrEqual(60)
    expect(report.joins.p99).toBeGreaterThan(0)
    const verdictOf = (id: string) => report.invariants.find((each: { id: string }) => each.id === id).verdict.status
    for (const id of ['I1', 'I2', 'I3', 'I9', 'I13', 'I15', 'I17', 'I20', 'I21', 'I22', 'I23', 'I24', 'I25']) {
      expect([id, verdictOf(id)]).toEqual([id, 'held'])
    }
    expect(existsSync(join(folder, 'own', 'data'))).toBe(true)

    const [, again] = /^Verify again {2}\S+ seatwise (verify .+)$/m.exec(output) ?? []
    const args = [...(await seatwiseProgram()), ...(again ?? '').split(' '), '--html', 'verified.html']
    const env = { PATH: process.env.PATH, SEATWISE_DATA_DIR: join(folder, 'own', 'data') }
    const verify = await startChild('seatwise verify', process.execPath, args, { cwd: folder, env })
    expect((await verify.exited).code).toBe(0)
    expect(verify.output()).toMatch(/^I24 +held/m)
    expect(verify.output()).toMatch(/^overshoot of capacity, of rate +0, 0$/m)
  })

  it.each(['light', 'dark'] as const)(
    '[V2] [V13] its pages open without errors and ask for nothing else, %s',
    async (colorScheme) => {
      browser ??= await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-background-networking'],
      })
      const page = await browser.newPage({ colorScheme })
      const problems: string[] = []
      const requests: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('request', (request) => requests.push(request.url()))
      const files = [join(folder, 'own', 'report.html'), join(folder, 'verified.html')].map((path) => `file://${path}`)
      for (const file of files) {
        await page.goto(file)
        expect(await page.locator('.verdict strong').innerText()).toMatch(/Go|Nothing was broken/)
      }
      expect(problems).toEqual([])
      expect(requests).toEqual(files)
      await page.close()
    },
  )

  describe('on a server that runs already', () => {
    let server: Server
    beforeAll(async () => {
      server = await startServer({ mode: 'embedded' })
    }, 60_000)
    afterAll(() => server?.discard())

    const openSale = async (guests: boolean): Promise<string> => {
      const answer = await fetch(`${server.url}/api/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ name: 'Small', totalSeats: 4, salesStartAt: '2020-01-01T00:00:00Z', salesEndAt: '2100-01-01T00:00:00Z' },
          room: { guests, guestsPerAddress: 50, capacity: 10, ratePerMinute: 6_000, heartbeatTimeoutSeconds: 3 },
        }),
      })
      return expectFields(await answer.json(), { id: shape.text }).id
    }
    const drive = (event: string, visitors: number, env: Record<string, string> = {}) =>
      run(['--url', server.url, '--event', event, '--visitors', String(visitors), ...QUICK, '--report', event], env)

    it('[V3] [V9] ends early when it is told to, still writes its report, and compares it', async () => {
      const slow = ['--duration', '60', '--arrivals', 'steady', '--report', 'early', '--compare', 'own/report.json']
      const child = await start(['--url', server.url, '--event', await openSale(true), '--visitors', '50', ...slow])
      await waitUntil('visitors come', () => /\d came/.test(child.output()), { timeoutMs: 60_000 })
      await child.stop('SIGINT')
      expect(child.output()).toContain('stopped before all visitors had finished')
      expect(child.output()).toMatch(/^joins a second +\d/m)
      const report = reportIn('early')
      expect(report.isComplete).toBe(false)
      expect(report.arrived).toBeLessThan(50)
      expect(report.violations).toBe(0)
    })

    it('[V4] guests come, and the public log is verified', async () => {
      const event = await openSale(true)
      const { code, output } = await drive(event, 20)
      expect(output).toContain('going by the public log')
      expect(output).toMatch(/^GO$/m)
      expect(code).toBe(0)
      expect(reportIn(event)).toMatchObject({ arrived: 20, sold: 4, violations: 0, verifiedFrom: 'public log' })
      expect((await drive(event, 51)).output).toContain('guestsPerAddress')
    })

    it('[V4] [V17] where no guests may come, the secret of the server makes visitors; the server takes note', async () => {
      const event = await openSale(false)
      const refused = await drive(event, 10)
      expect(refused).toMatchObject({ code: 2 })
      expect(refused.output).toContain('SEATWISE_SECRET')
      const operator = { SEATWISE_ADMIN_EMAIL: ADMIN.email, SEATWISE_ADMIN_PASSWORD: ADMIN.password }
      const { code } = await drive(event, 10, { SEATWISE_SECRET: SECRET, ...operator })
      expect(code).toBe(0)
      const headers = { authorization: `Bearer ${await server.adminToken()}` }
      const noted = await fetch(`${server.url}/api/events/${event}/rehearsals`, { headers })
      expect(await noted.json()).toMatchObject({ items: [{ verdict: 'passed', report: { arrived: 10, sold: 4 } }] })
      expect(reportIn(event)).toMatchObject({ arrived: 10, sold: 4, violations: 0 })
    })
  })
})
