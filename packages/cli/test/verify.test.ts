import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { removeFolder, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyPublicLog } from '../src/verify/verify-public-log.ts'
import { DEPLOYMENTS, type Deployment, tamper } from './deployments.ts'
import { type AuditItem, openMirror } from './lying-mirror.ts'
import { runSeatwise } from './run-seatwise.ts'
import { runSmallSale } from './small-sale.ts'

describe.each(['embedded', 'distributed'] as const)('seatwise verify, %s', { timeout: 120_000 }, (mode) => {
  let deployment: Deployment
  let event: string
  beforeAll(async () => {
    deployment = await DEPLOYMENTS[mode]()
    event = await runSmallSale(deployment.server)
  }, 120_000)
  afterAll(() => deployment?.remove())

  const verify = (...args: string[]) => runSeatwise(['verify', ...args], deployment.env)

  it('[T20] finds nothing wrong beside a running server, and says what was not put to the test', async () => {
    // The log of a shared line reaches the ledger a moment later.
    const { output } = await waitUntil('the sale is verified', async () => {
      const outcome = await verify('--event', event)
      return outcome.output.includes('I21  held') ? outcome : undefined
    })
    expect(output).not.toContain('violated')
    const held = 'I1 I2 I3 I4 I5 I6 I8 I9 I10 I11 I13 I14 I18 I19 I20 I21 I27'
    for (const id of held.split(' ')) {
      expect(output).toMatch(new RegExp(`^${id} +held`, 'm'))
    }
    expect(output).toMatch(/^I12 +not checked .*needs client records/m)
    expect(output).toMatch(/^I7 +not checked/m)
  })

  it('[B172] takes sales at the door for what they are: nothing is violated, limit and sums included', async () => {
    const { output } = await verify('--event', event)
    expect(output).not.toContain('violated')
    for (const id of ['I1', 'I5', 'I8', 'I9', 'I10', 'I29']) expect(output).toMatch(new RegExp(`^${id} +held`, 'm'))
  })

  it('[T20] tells the same as JSON, and exits with 0', async () => {
    const { code, output } = await verify('--event', event, '--json')
    expect(JSON.parse(output)).toMatchObject({ event, isSound: true })
    expect(code).toBe(0)
  })

  it('[T20] needs an event that there is', async () => {
    expect((await verify('--event', randomUUID())).output).toContain('There is no event')
  })

  it('[V19] recomputes the public log of a running server from outside, and says what it cannot see', async () => {
    const { code, output } = await runSeatwise(['verify', '--url', deployment.server.url, '--event', event])
    expect(output).toMatch(/^I21 +held +seq gap-free/m)
    expect(output).toMatch(/^I21 +held +each hash recomputed .*\([1-9]\d* hashes recomputed\)/m)
    expect(output).toMatch(/^I1 +not checked/m)
    expect(output).toMatch(/^I9 +not checked/m)
    expect(code).toBe(0)
  })

  it('[V19] finds a public log that was tampered with on its way', async () => {
    await using mirror = await openMirror(deployment.server.url)
    const judge = async (lie: (items: AuditItem[]) => AuditItem[]) => {
      mirror.lie = lie
      const { report } = await verifyPublicLog(mirror.url, { eventId: event, roomId: 'room' }, null)
      const broken = report.invariants.filter(({ verdict }) => verdict.status === 'violated')
      return broken.map(({ name }) => name)
    }
    const HASHES = 'each hash recomputed from its entry and the hash before'
    expect(await judge((items) => items)).toEqual([])
    const isJoin = ({ canonical }: AuditItem) => canonical.includes('"kind":"joined"')
    // With all its words, so that nothing but the hash can tell.
    const altered = (item: AuditItem): AuditItem => {
      const said = { ...JSON.parse(item.canonical), at: Number(JSON.parse(item.canonical).at) - 1 }
      return { ...said, index: item.index, canonical: JSON.stringify(said), hash: item.hash }
    }
    expect(await judge((items) => items.map((item) => (isJoin(item) ? altered(item) : item)))).toContain(HASHES)
    const at = (items: AuditItem[]) => items.findIndex(isJoin)
    expect(await judge((items) => items.toSpliced(at(items), 1))).toContain(HASHES)
    expect(await judge((items) => items.toSpliced(at(items), 0, ...items.slice(at(items), at(items) + 1)))).toContain(
      HASHES,
    )
    expect(
      await judge((items) => items.toSpliced(at(items), 2, ...items.slice(at(items), at(items) + 2).reverse())),
    ).toContain(HASHES)
    await expect(judge((items) => items.map((item) => ({ ...item, at: 0 })))).rejects.toThrow('in other words')
  })

  it('[T21] finds what was changed in the ledger by hand, once the server has stopped', async () => {
    await deployment.server.stop()
    expect((await verify('--event', event)).code).toBe(0)

    await tamper(
      deployment,
      `update seats set status = 'available', reservation_id = null
           where id = (select id from seats where status = 'sold' limit 1)`,
    )
    await tamper(
      deployment,
      `update purchases set status = 'DECLINED' where id = (select id from purchases where status = 'PAID' and amount > 0 limit 1)`,
    )
    const { code, output } = await verify('--event', event)
    expect(code).toBe(1)
    expect(output).toMatch(/^I3 +violated/m)
    expect(output).toMatch(/The ledger counted 11 sold seats; its own history leaves 12/)
    expect(output).toMatch(/^I9 +violated/m)
    expect(output).toMatch(/^I10 +violated/m)
    expect(output).toMatch(/^I21 +held/m)

    await tamper(
      deployment,
      `update room_log set body = jsonb_set(body, '{place}', '0.5') where kind = 'joined' and seq =
            (select max(seq) from room_log where kind = 'joined')`,
    )
    expect((await verify('--event', event)).output).toMatch(/^I21 +violated.*\n.*hash of entry/m)
  })
})

describe('seatwise verify', () => {
  it('[T20] wants an event to be named', async () => {
    expect(await runSeatwise(['verify'])).toMatchObject({ code: 2 })
    expect(await runSeatwise(['verify', '--event', 'tomorrow'])).toMatchObject({ code: 2 })
  })

  it('[T20] explains itself, and makes nothing where nothing is', { timeout: 60_000 }, async () => {
    expect((await runSeatwise(['verify', '--help'])).output).toContain('--event ID')
    const folder = await temporaryFolder()
    try {
      const env = { SEATWISE_DATA_DIR: join(folder, 'none') }
      const { code, output } = await runSeatwise(['verify', '--event', randomUUID()], env)
      expect(code).toBe(1)
      expect(output).toContain('There is nothing in')
    } finally {
      await removeFolder(folder)
    }
  })
})
