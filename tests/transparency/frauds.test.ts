import { join } from 'node:path'
import { checkPublicLog } from '@seatwise/checker'
import {
  BeaconStandIn,
  openBrowser,
  postgresDatabase,
  removeFolder,
  type Server,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'
import type { Browser } from 'playwright-core'
import { main } from 'seatwise'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { drawFrauds, honestDraws } from './draw-frauds.ts'
import { ForgedLog, openForgedServer } from './forged-log.ts'
import { honestLog, logFrauds } from './frauds.ts'
import { type HonestRun, runDrawnSale, runOpenSale } from './honest-sales.ts'
import { ACCEPTED, Judges, REJECTED, type ShownRun, type Verdict } from './judges.ts'

const MODES = ['embedded', 'distributed'] as const
type Mode = (typeof MODES)[number]
/** As the issue of this proof demands. */
const FRAUDS_MIN = 15

describe('a log is checked from outside, by a verifier of its own, by the command and by the audit page', {
  timeout: 180_000,
}, () => {
  const undo: (() => Promise<unknown>)[] = []
  const servers = new Map<Mode, Server>()
  const draws = new Map<Mode, Promise<HonestRun[]>>()
  let folder: string
  let sale: HonestRun
  let judges: Judges

  beforeAll(async () => {
    folder = await temporaryFolder()
    undo.push(() => removeFolder(folder))
    const beacon = await BeaconStandIn.open()
    undo.push(() => beacon.close())
    const browser: Browser = await openBrowser()
    undo.push(() => browser.close())
    judges = new Judges(await browser.newPage({ locale: 'en' }), folder)
    const database = await postgresDatabase('migrated')
    undo.push(() => database.drop())
    const stores = { embedded: { dataDir: join(folder, 'data') }, distributed: { databaseUrl: database.url } }
    for (const mode of MODES) {
      const server = await startServer({ mode, ...stores[mode], env: beacon.settings })
      undo.push(() => server.discard())
      servers.set(mode, server)
      if (mode === 'embedded') sale = await runOpenSale(server)
      // A beacon takes ten seconds: the other tests run meanwhile.
      draws.set(mode, Promise.all([runDrawnSale(server, 'commit'), runDrawnSale(server, 'drand')]))
    }
  }, 120_000)
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  it('[N10] [N13] [N15] all of them accept the forger’s honest logs, and reject every fraud for its reason', async () => {
    const { event, texts } = sale
    const wrong: object[] = []
    const expectOf = (name: string, verdict: Verdict, expected: Verdict['accepted']) => {
      if (JSON.stringify(verdict.accepted) !== JSON.stringify(expected)) wrong.push({ name, ...verdict })
    }
    const honest = new ForgedLog(texts, event.roomId)
    const frauds = [...logFrauds(honest), ...drawFrauds(event.roomId)]
    expect(frauds.length).toBeGreaterThanOrEqual(FRAUDS_MIN)
    await judges.forging(servers.get('embedded')?.url ?? '', event, async (judge) => {
      const accepted: ShownRun[] = [honestLog(honest), ...honestDraws(event.roomId)]
      for (const run of accepted) expectOf(run.name, await judge(run), ACCEPTED)
      for (const run of frauds) {
        const verdict = await judge(run)
        expectOf(run.name, verdict, REJECTED)
        const { command, page } = verdict.said
        for (const said of [command, page])
          if (!said.includes(run.says)) wrong.push({ name: run.name, says: run.says, said })
      }
    })
    expect(wrong).toEqual([])
  })

  it('[N11] a witness sees a log grow, and exits with 1 when it was rewritten, with both heads as evidence', async () => {
    const { event, texts } = sale
    const honest = new ForgedLog(texts, event.roomId)
    const forged = await openForgedServer(event)
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const witness = async (log: ForgedLog): Promise<unknown> => {
      forged.show(log.shown())
      await main(['witness', '--url', forged.url.href, '--event', event.id, '--heads', join(folder, 'witness')])
      const { exitCode } = process
      process.exitCode = undefined
      return exitCode
    }
    try {
      const early = honest.with(texts.slice(0, 6))
      expect(await witness(early)).toBe(0)
      expect(await witness(honest), 'a longer log').toBe(0)
      const rewritten = honest.with(texts.map((text) => text.replace('"seq"', '"seq" ')))
      expect(await witness(rewritten), 'a rewritten log').toBe(1)
      const said = printed.mock.calls.flat().join('\n')
      for (const { checkpoint } of [early.head(), rewritten.head()]) expect(said).toContain(checkpoint)
    } finally {
      printed.mockRestore()
      await forged.close()
    }
  })

  it.each(MODES)(
    '[N10] [N13] [N15] all of them accept honest sales and draws, also after a restart, %s',
    async (mode) => {
      const server = servers.get(mode)
      if (server === undefined) throw new Error('There is no server')
      const runs = [mode === 'embedded' ? sale : await runOpenSale(server), ...((await draws.get(mode)) ?? [])]
      for (const run of runs) {
        const { accepted, said } = await judges.judge(server.url, run.event, run)
        expect({ name: run.name, accepted, said }).toMatchObject({ accepted: ACCEPTED })
      }
      // Embedded, a start is a rebuild: the log goes on in another epoch.
      await server.restart()
      for (const run of runs) {
        const { accepted, said } = await judges.judge(server.url, run.event, run)
        expect({ name: run.name, accepted, said }).toMatchObject({ accepted: ACCEPTED })
      }
    },
  )

  it('[N14] a log that is too long for a phone is sampled, and each sample proven', async () => {
    const url = servers.get('embedded')?.url
    const ask = async (path: string) => (await (await fetch(new URL(path, url))).json()) as unknown
    const { id, roomId } = sale.event
    const check = { ask, room: `/api/events/${id}`, roomId, entriesMax: 3 }
    expect(await checkPublicLog(check)).toMatchObject({ problems: [], isWhole: false, checked: 40 })
    const altered = async (path: string) => {
      const answer = await ask(path)
      return path.includes('/audit?') ? JSON.parse(JSON.stringify(answer).replaceAll('\\"seq\\"', '\\"sea\\"')) : answer
    }
    const { problems } = await checkPublicLog({ ...check, ask: altered })
    expect(problems[0]).toContain('not in the signed log')
  })
})
