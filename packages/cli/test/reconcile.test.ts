import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEPLOYMENTS, type Deployment, tamper } from './deployments.ts'
import { runSeatwise } from './run-seatwise.ts'
import { runSmallSale } from './small-sale.ts'

describe.each(['embedded', 'distributed'] as const)('seatwise reconcile, %s', { timeout: 120_000 }, (mode) => {
  let deployment: Deployment
  let event: string
  beforeAll(async () => {
    deployment = await DEPLOYMENTS[mode]()
    event = await runSmallSale(deployment.server)
  }, 120_000)
  afterAll(() => deployment?.remove())

  const reconcile = (...args: string[]) => runSeatwise(['reconcile', ...args], deployment.env)

  it('[B38] finds nothing to do beside a running server', async () => {
    const { code, output } = await reconcile('--event', event)
    expect(output).toContain('1 event compared, 0 repaired, 0 left')
    expect(code).toBe(0)
  })

  it('[B38] tells what it found, repairs what is safe, and leaves the rest to people', async () => {
    await deployment.server.stop()
    await tamper(deployment, `update seat_maps set available = available + 1 where event_id = '${event}'`)
    const dry = await reconcile('--dry-run')
    expect(dry.output).toContain('the seat map counts other seats than there are')
    expect(dry.code).toBe(1)
    await tamper(deployment, `update purchases set status = 'DECLINED', captured = 0 where status = 'PAID'`)
    const { code, output } = await reconcile('--event', event)
    expect(output).toMatch(/^repaired .* the seat map counts other seats/m)
    expect(output).toMatch(/^left .* no money was captured for it/m)
    expect(code).toBe(1)
  })

  it('[B38] is used with an event that there is', async () => {
    expect(await reconcile('--event', randomUUID())).toMatchObject({ code: 2 })
  })
})

it('[B38] seatwise reconcile explains itself, and refuses what cannot be an event', async () => {
  expect((await runSeatwise(['reconcile', '--help'])).output).toContain('--dry-run')
  expect(await runSeatwise(['reconcile', '--event', 'tomorrow'])).toMatchObject({ code: 2 })
})
