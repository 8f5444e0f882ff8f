import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPublicLog } from '@seatwise/checker'
import {
  type HeadJson,
  postgresDatabase,
  type ReceiptJson,
  removeFolder,
  type Server,
  startServer,
  temporaryFolder,
  verifyLog,
  waitUntil,
} from '@seatwise/testbench'
import { main } from 'seatwise'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ForgedLog, openForgedServer } from './forged-log.ts'
import { FRAUDS } from './frauds.ts'

const VISITORS = 12
const WINDOW = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const ROOM = { capacity: 4, ratePerMinute: 60_000, burst: 10, claimSeconds: 300, guests: true }

interface Kept {
  readonly heads: readonly HeadJson[]
  readonly receipts: readonly ReceiptJson[]
}

interface HonestRun extends Kept {
  readonly event: { id: string; roomId: string }
  readonly texts: readonly string[]
}

/** The exit code of a command. */
async function seatwise(args: readonly string[]): Promise<unknown> {
  await main(args)
  const { exitCode } = process
  process.exitCode = undefined
  return exitCode
}

const askOf = (url: URL | string) => async (path: string) => {
  const answer = await fetch(new URL(path, url))
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  return (await answer.json()) as unknown
}

/** Visitors join and are let in; heads and receipts are kept on the way. */
async function runSale(server: Server): Promise<HonestRun> {
  const ask = askOf(server.url)
  const post = async <Answer>(path: string, body: object, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    return (await (await fetch(new URL(path, server.url), init)).json()) as Answer
  }
  const admin = { authorization: `Bearer ${await server.adminToken()}` }
  const sale = { name: 'Log', totalSeats: 50, ...WINDOW, room: ROOM }
  const event = await post<HonestRun['event']>('/api/events', sale, admin)
  const room = `/api/events/${event.id}`
  const headOver = (size: number) =>
    waitUntil(`a head covers ${size} entries`, async () => {
      const head = (await ask(`${room}/queue/head`)) as HeadJson
      return head.size >= size ? head : null
    })
  const wish = { class: 2, count: 2, expiresAt: WINDOW.salesEndAt }
  const { codes } = await post<{ codes: string[] }>(`${room}/priority-codes`, wish, admin)
  const tokens: string[] = []
  const join = (body: object, as = {}) =>
    post<{ ticketToken: string; accessToken: string }>(`${room}/queue/join`, body, as)
  for (let count = 0; count < VISITORS - 1; count += 1) tokens.push((await join({})).ticketToken)
  const last = await join({ priorityCode: codes[0] })
  tokens.push(last.ticketToken)
  // The code is entered while its visitor waits.
  const waiting = await join({})
  await join({ priorityCode: codes[1] }, { authorization: `Bearer ${waiting.accessToken}` })
  const first = await headOver(VISITORS + 4)
  const receipts = await Promise.all(tokens.map((token) => receiptOf(server, room, token)))
  const leave = { method: 'DELETE', headers: { 'seatwise-ticket': tokens[0] ?? '' } }
  await fetch(new URL(`${room}/queue`, server.url), leave)
  const second = await headOver(first.size + 1)
  const { items } = (await ask(`${room}/queue/audit?limit=1000`)) as { items: { canonical: string }[] }
  return { event, texts: items.map(({ canonical }) => canonical), heads: [first, second], receipts }
}

function receiptOf(server: Server, room: string, token: string): Promise<ReceiptJson> {
  return waitUntil('there is a receipt', async () => {
    const answer = await fetch(new URL(`${room}/queue/receipt`, server.url), { headers: { 'seatwise-ticket': token } })
    return answer.status === 200 ? ((await answer.json()) as ReceiptJson) : null
  })
}

describe('the log is checked from outside', { timeout: 180_000 }, () => {
  let folder: string
  let kept = 0
  beforeAll(async () => {
    folder = await temporaryFolder()
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await removeFolder(folder)
  })

  /** The verdicts of all who check: true accepts. What throws has not accepted. */
  async function judge(url: URL, { id, roomId }: HonestRun['event'], { heads, receipts }: Kept) {
    const room = `/api/events/${id}`
    const ask = askOf(url)
    const files = keep({ heads, receipts })
    const accepts = (judged: Promise<boolean>) => judged.catch(() => false)
    return {
      independent: await accepts(verifyLog(ask, room, { heads, receipts }).then((problems) => problems.length === 0)),
      page: await accepts(
        checkPublicLog({ ask, room, roomId, heads, receipts }).then(({ problems }) => problems.length === 0),
      ),
      verify: await accepts(
        seatwise(['verify', '--url', url.href, '--event', id, ...files]).then((code) => code === 0),
      ),
    }
  }

  function keep({ heads, receipts }: Kept): string[] {
    kept += 1
    const [headFolder, receiptFile] = [join(folder, `heads-${kept}`), join(folder, `receipts-${kept}.json`)]
    mkdirSync(headFolder)
    for (const head of heads) {
      const name = `head-${String(head.size).padStart(16, '0')}-${head.root.slice(0, 16)}.json`
      writeFileSync(join(headFolder, name), JSON.stringify(head))
    }
    writeFileSync(receiptFile, JSON.stringify(receipts))
    return ['--heads', headFolder, '--receipt', receiptFile]
  }

  const ALL = { independent: true, page: true, verify: true }
  const NOBODY = { independent: false, page: false, verify: false }
  const MODES = {
    embedded: () => startServer({ mode: 'embedded', dataDir: join(folder, 'data') }),
    distributed: async () =>
      startServer({ mode: 'distributed', databaseUrl: (await postgresDatabase('migrated')).url }),
  }

  it.each(['embedded', 'distributed'] as const)(
    '[N10] [N11] everybody accepts an honest run, and nobody a fraud, %s',
    async (mode) => {
      const server = await MODES[mode]()
      try {
        const run = await runSale(server)
        expect(await judge(new URL(server.url), run.event, run)).toEqual(ALL)
        await judgeFrauds(run)
      } finally {
        await server.discard()
      }
    },
  )

  /** The entries of the honest run in the hands of an operator who forges them. */
  async function judgeFrauds({ event, texts }: HonestRun): Promise<void> {
    const forged = await openForgedServer(event)
    try {
      const honest = new ForgedLog(texts, event.roomId)
      forged.show(honest.shown())
      const proofs = { heads: [honest.head(5), honest.head()], receipts: [honest.receipt(2), honest.receipt(3, 9)] }
      expect(await judge(forged.url, event, proofs), 'the control').toEqual(ALL)
      for (const { name, commit } of FRAUDS) {
        const { shown, heads = [], receipts = [] } = commit(honest)
        forged.show(shown)
        expect(await judge(forged.url, event, { heads, receipts }), name).toEqual(NOBODY)
      }
      await witnessLies(forged, event.id, honest)
    } finally {
      await forged.close()
    }
  }

  async function witnessLies(
    forged: Awaited<ReturnType<typeof openForgedServer>>,
    event: string,
    honest: ForgedLog,
  ): Promise<void> {
    const args = ['--url', forged.url.href, '--event', event, '--heads', join(folder, `witness-${event}`)]
    const early = honest.with(honest.texts.slice(0, 6))
    forged.show(early.shown())
    expect(await seatwise(['witness', ...args])).toBe(0)
    forged.show(honest.shown())
    expect(await seatwise(['witness', ...args]), 'a longer log').toBe(0)
    const rewritten = honest.with(honest.texts.map((text) => text.replace('"seq"', '"seq" ')))
    forged.show(rewritten.shown())
    expect(await seatwise(['witness', ...args]), 'a rewritten log').toBe(1)
    const said = vi.mocked(console.log).mock.calls.flat().join('\n')
    for (const { checkpoint } of [early.head(), rewritten.head()]) expect(said).toContain(checkpoint)
  }
})
