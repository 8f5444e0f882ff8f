import { type HeadJson, type ReceiptJson, type Server, waitUntil } from '@seatwise/testbench'

/** A sale as its public log tells it, and what visitors kept of it on the way. */
export interface HonestRun {
  readonly name: string
  readonly event: { readonly id: string; readonly roomId: string }
  readonly texts: readonly string[]
  readonly heads: readonly HeadJson[]
  readonly receipts: readonly ReceiptJson[]
}

const WINDOW = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const ROOM = { ratePerMinute: 60_000, claimSeconds: 300, guests: true, guestsPerAddress: 0, challenge: 'off' }
const VISITORS = 12
/** The stand-in's round comes ten seconds after the start. */
const REVEALED_MS_MAX = 40_000

interface Joined {
  readonly ticketToken: string
  readonly accessToken: string
}

/** The public log of one sale on a server, and the acts of its visitors. */
class SaleUnderAudit {
  readonly event: HonestRun['event']
  readonly room: string
  readonly #url: string
  readonly #admin: Record<string, string>

  constructor(url: string, event: HonestRun['event'], admin: Record<string, string>) {
    this.#url = url
    this.event = event
    this.room = `/api/events/${event.id}`
    this.#admin = admin
  }

  static async open(server: Server, fields: object): Promise<SaleUnderAudit> {
    const admin = { authorization: `Bearer ${await server.adminToken()}` }
    const sale = { name: 'Log', totalSeats: 50, ...WINDOW, ...fields }
    const event = await send<HonestRun['event']>(server.url, 'POST', '/api/events', sale, admin)
    return new SaleUnderAudit(server.url, event, admin)
  }

  async join(body: object = {}, as: Record<string, string> = {}): Promise<Joined> {
    return await send(this.#url, 'POST', `${this.room}/queue/join`, body, as)
  }

  /** The visitor of a ticket joins again, now with a code. */
  async promote({ accessToken }: Joined, priorityCode: string | undefined): Promise<void> {
    await this.join({ priorityCode }, { authorization: `Bearer ${accessToken}` })
  }

  async leave({ ticketToken }: Joined): Promise<void> {
    const headers = { 'seatwise-ticket': ticketToken }
    await fetch(new URL(`${this.room}/queue`, this.#url), { method: 'DELETE', headers })
  }

  async makeCodes(count: number): Promise<string[]> {
    const wish = { class: 2, count, expiresAt: WINDOW.salesEndAt }
    const made = await send<{ codes: string[] }>(this.#url, 'POST', `${this.room}/priority-codes`, wish, this.#admin)
    return made.codes
  }

  async startNow(): Promise<void> {
    const now = { salesStartAt: new Date(Date.now() + 500).toISOString() }
    await send(this.#url, 'PATCH', this.room, now, this.#admin)
  }

  async receiptOf({ ticketToken }: Joined): Promise<ReceiptJson> {
    return await waitUntil('there is a receipt', async () => {
      const headers = { 'seatwise-ticket': ticketToken }
      const answer = await fetch(new URL(`${this.room}/queue/receipt`, this.#url), { headers })
      return answer.status === 200 ? ((await answer.json()) as ReceiptJson) : null
    })
  }

  async texts(): Promise<string[]> {
    const page = await ask<{ items: { canonical: string }[] }>(this.#url, `${this.room}/queue/audit?limit=1000`)
    return page.items.map(({ canonical }) => canonical)
  }

  async has(kind: string, count: number): Promise<void> {
    await waitUntil(`${count} entries are ${kind}`, async () => {
      const texts = await this.texts()
      return texts.filter((text) => text.includes(`"kind":"${kind}"`)).length >= count
    })
  }

  /** A head over all that the log has by now. */
  async head(): Promise<HeadJson> {
    const { length } = await this.texts()
    return await waitUntil(`a head covers ${length} entries`, async () => {
      const head = await ask<HeadJson>(this.#url, `${this.room}/queue/head`)
      return head.size >= length ? head : null
    })
  }

  async revealed(): Promise<void> {
    await waitUntil(
      'the draw is revealed',
      async () => (await ask<{ state: string }>(this.#url, `${this.room}/queue/draw`)).state === 'revealed',
      { timeoutMs: REVEALED_MS_MAX },
    )
  }
}

/** Visitors join, some with codes, and are let in; one leaves. */
export async function runOpenSale(server: Server): Promise<HonestRun> {
  const sale = await SaleUnderAudit.open(server, { room: { ...ROOM, capacity: 4, burst: 10 } })
  const [one, other] = await sale.makeCodes(2)
  const joined: Joined[] = []
  for (let count = 1; count < VISITORS; count += 1) joined.push(await sale.join())
  joined.push(await sale.join({ priorityCode: one }))
  await sale.promote(await sale.join(), other)
  await sale.has('admitted', 4)
  const first = await sale.head()
  const receipts = await Promise.all(joined.map((each) => sale.receiptOf(each)))
  for (const each of joined.slice(0, 1)) await sale.leave(each)
  await sale.has('admitted', 5)
  const second = await sale.head()
  return { name: 'a sale', event: sale.event, texts: await sale.texts(), heads: [first, second], receipts }
}

/**
 * Visitors wait before the opening, some with codes, of which one is entered while waiting; one leaves. After the draw others
 * come late, with a code and without. `meanwhile` is run when the draw is over.
 */
export async function runDrawnSale(
  server: Server,
  draw: 'commit' | 'drand',
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<HonestRun> {
  const early = {
    preQueueAt: new Date(Date.now() - 1_000).toISOString(),
    draw,
    // They wait for so long that none is missing.
    ...{ capacity: 5, burst: 10, heartbeatTimeoutSeconds: 3_600 },
  }
  const opensAt = new Date(Date.now() + 3_600_000).toISOString()
  const sale = await SaleUnderAudit.open(server, { salesStartAt: opensAt, room: { ...ROOM, ...early } })
  const codes = await sale.makeCodes(3)
  const joined: Joined[] = []
  for (let count = 0; count < VISITORS; count += 1) joined.push(await sale.join())
  joined.push(await sale.join({ priorityCode: codes[0] }))
  for (const each of joined.slice(3, 4)) await sale.promote(each, codes[1])
  for (const each of joined.slice(5, 6)) await sale.leave(each)
  const before = await sale.head()
  const receipts = await Promise.all(joined.map((each) => sale.receiptOf(each)))
  await sale.startNow()
  await sale.revealed()
  await meanwhile()
  await sale.join()
  await sale.join({ priorityCode: codes[2] })
  await sale.has('admitted', 5)
  const after = await sale.head()
  const name = draw === 'commit' ? 'a draw by a secret' : 'a draw by a beacon'
  return { name, event: sale.event, texts: await sale.texts(), heads: [before, after], receipts }
}

async function ask<Answer>(url: string, path: string): Promise<Answer> {
  const answer = await fetch(new URL(path, url))
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  return (await answer.json()) as Answer
}

async function send<Answer>(
  url: string,
  method: string,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<Answer> {
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const answer = await fetch(new URL(path, url), init)
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}
