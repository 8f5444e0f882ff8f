import { randomUUID } from 'node:crypto'
import { beginEpoch } from '@seatwise/ledger'
import {
  firingAlerts,
  type HeadJson,
  headProblem,
  isIncluded,
  leafOf,
  type ReceiptJson,
  verifyLog,
  waitUntil,
} from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeCheckpoint } from '../../../src/rooms/transparency/checkpoint.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const FAST = { capacity: 3, ratePerMinute: 60_000, burst: 100, claimSeconds: 60 }

forEachMode('the transparency log', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  const ask = async (path: string) => {
    const answer = await bench.call('GET', path)
    if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${answer.body}`)
    return answer.json<unknown>()
  }
  const headOf = async (room: string) => (await ask(`${room}/queue/head`)) as HeadJson
  const headFrom = (room: string, size: number) =>
    waitUntil('the entries are in a head', async () => {
      const head = await headOf(room)
      return head.size >= size ? head : null
    })
  const receiptOf = (room: string, ticket: string) =>
    waitUntil('there is a receipt', async () => {
      const answer = await bench.call('GET', `${room}/queue/receipt`, { ticket })
      if (answer.statusCode !== 202) return answer.json<ReceiptJson>()
      expect(answer.headers['retry-after']).toBe('1')
      return null
    })

  describe('heads', () => {
    it('[N5] cover every entry soon, and an independent verifier accepts the whole log with its receipts', async () => {
      const room = await bench.sale(FAST)
      const tickets = []
      for (let count = 0; count < 6; count++) tickets.push(await bench.join(room))
      const first = await headFrom(room, 8)
      const receipts = await Promise.all(tickets.map(({ ticketToken }) => receiptOf(room, ticketToken)))
      await bench.operate(room, { message: 'hello' })
      const second = await headFrom(room, first.size + 1)
      expect(await verifyLog(ask, room, { heads: [first, second], receipts })).toEqual([])
      expect((await bench.call('GET', `${room}/queue/head`)).headers['cache-control']).toBe('public, max-age=1')
    })

    it('[N5] the public document has the latest', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      await bench.join(room)
      const head = await headFrom(room, 3)
      const now = await waitUntil('now has it', async () => {
        const document = (await ask(`${room}/queue/now`)) as { head: HeadJson | null }
        return document.head?.size === head.size ? document : null
      })
      expect(now.head).toEqual(head)
    })

    it('[N6] are signed at most once a second, and only when something changed', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      const until = Date.now() + 2_500
      await waitUntil('visitors joined for a while', async () => {
        await bench.join(room)
        return Date.now() > until
      })
      const last = await headFrom(room, 4)
      const { ledger } = bench.server
      const heads = () =>
        ledger.db.selectFrom('log_heads').selectAll().where('room_id', '=', idIn(last)).orderBy('size').execute()
      const signed = await heads()
      expect(signed.length).toBeGreaterThanOrEqual(2)
      for (const [index, head] of signed.entries()) {
        const before = signed[index - 1]
        if (before !== undefined) expect(head.at.getTime() - before.at.getTime()).toBeGreaterThanOrEqual(1_000)
      }
    })

    it('[N7] go on over a rebuild and a change of keys: all of them extend each other', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      const { ticketToken } = await bench.join(room)
      const before = await headFrom(room, 3)
      const receipt = await receiptOf(room, ticketToken)
      const { ledger, services } = bench.server
      const past = (ms: number) => new Date(Date.now() - ms)
      await ledger.db
        .updateTable('signing_keys')
        .set({ signs_from: past(3_000), signs_until: past(1_000) })
        .execute()
      await services.identity.keys.refresh()
      const roomId = idIn(before)
      const { epoch } = await ledger.db
        .selectFrom('rooms')
        .select('epoch')
        .where('id', '=', roomId)
        .executeTakeFirstOrThrow()
      await beginEpoch(ledger.db, { room: roomId, lostEpoch: epoch, reason: 'test', unseenMax: 10 })
      await waitUntil('the room is rebuilt', async () => {
        const answer = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
        return answer.statusCode === 200
      })
      const after = await headFrom(room, before.size + 1)
      expect(after.kid).not.toBe(before.kid)
      expect(await verifyLog(ask, room, { heads: [before, after], receipts: [receipt] })).toEqual([])
      // Published for ever, however old it is.
      await ledger.db
        .updateTable('signing_keys')
        .set({ signs_from: past(3_000), signs_until: past(2_000), published_until: past(1_000) })
        .where('kid', '=', before.kid)
        .execute()
      await services.identity.keys.refresh()
      const { keys } = services.identity.keys.jwks()
      expect(headProblem(before, keys, null)).toBe(null)
    })
  })

  describe('proofs', () => {
    it('[N8] are refused beyond the latest head, and kept by caches for ever', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      for (let count = 0; count < 4; count++) await bench.join(room)
      const { size } = await headFrom(room, 6)
      const answer = await bench.call('GET', `${room}/queue/proof?index=0&size=${size}`)
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      const none = { hashes: [] }
      expect(await ask(`${room}/queue/consistency?from=0&to=${size}`)).toEqual(none)
      expect(await ask(`${room}/queue/consistency?from=${size}&to=${size}`)).toEqual(none)
      const refused = [
        `proof?index=${size}&size=${size}`,
        `proof?index=0&size=${size + 1}`,
        'proof?index=-1&size=2',
        'proof?index=0',
      ]
      for (const query of [...refused, `consistency?from=1&to=${size + 1}`, 'consistency?from=3&to=2']) {
        expect((await bench.call('GET', `${room}/queue/${query}`)).statusCode, query).toBe(400)
      }
    })

    it('[N65] [Y133] a reported head counts if this site signed it, and is evidence if the ledger does not have it: SeatwiseLogConflict fires', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      await bench.join(room)
      const first = await headFrom(room, 3)
      await bench.join(room)
      const second = await headFrom(room, first.size + 1)
      const report = (...heads: HeadJson[]) => bench.call('POST', `${room}/queue/head/reports`, { body: { heads } })
      const scrape = async (atSeconds: number) => ({ atSeconds, text: (await bench.call('GET', '/metrics')).body })
      const counted = async () => Number(/^seatwise_log_conflicts_total (\d+)$/m.exec((await scrape(0)).text)?.[1])
      const before = await counted()
      const scrapes = [await scrape(0)]
      const known = await report(first, second)
      expect([known.statusCode, known.json()]).toEqual([202, { status: 'known' }])
      expect(firingAlerts([...scrapes, await scrape(15)])).toEqual([])
      // What only an operator with the key can do.
      const { signer } = bench.server.services.identity.keys
      const root = Buffer.alloc(32, 7)
      const checkpoint = writeCheckpoint({ origin: `localhost/rooms/${idIn(first)}`, size: first.size, root }, signer())
      const forged = { ...first, kid: signer().kid, root: root.toString('hex'), checkpoint }
      expect((await report(forged, second)).json()).toEqual({ status: 'conflict' })
      expect((await report(forged)).json()).toEqual({ status: 'conflict' })
      expect(await counted()).toBe(before + 2)
      expect(firingAlerts([...scrapes, await scrape(15)])).toEqual(['SeatwiseLogConflict'])
      const made = { ...first, checkpoint: first.checkpoint.replace(`\n${first.size}\n`, '\n999\n') }
      const elsewhere = {
        ...first,
        checkpoint: writeCheckpoint({ origin: 'localhost/rooms/other', size: 1, root }, signer()),
      }
      for (const strange of [made, elsewhere, { ...first, kid: 'unknown' }, { ...first, checkpoint: '' }])
        expect((await report(strange, second)).statusCode).toBe(400)
      expect(await counted()).toBe(before + 2)
    })

    it('[N9] a receipt is of one’s own ticket only, and rooms without an event have all of it', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      const [mine, other] = [await bench.join(room), await bench.join(room)]
      const receipt = await receiptOf(room, mine.ticketToken)
      expect(JSON.parse(receipt.entry)).toMatchObject({ kind: 'joined', number: mine.place })
      expect((await receiptOf(room, other.ticketToken)).index).not.toBe(receipt.index)
      const { entry, index, head, proof } = receipt
      expect(isIncluded(leafOf(entry), index, head.size, proof.hashes, head.root)).toBe(true)
      expect((await bench.call('GET', `${room}/queue/receipt`)).statusCode).toBe(401)
      const own = { name: 'Shop', target: 'https://shop.example/' }
      const made = await bench.call('POST', '/api/rooms', { as: bench.organizer.authorization, body: own })
      const alone = `/api/rooms/${made.json<{ id: string }>().id}`
      const ticket = await bench.join(alone)
      expect((await bench.call('GET', `${room}/queue/receipt`, { ticket: ticket.ticketToken })).statusCode).toBe(403)
      const kept = await receiptOf(alone, ticket.ticketToken)
      const told = { keys: bench.server.services.identity.keys.jwks().keys }
      expect(headProblem(kept.head, told.keys, `localhost${alone.replace('/api', '')}`)).toBe(null)
      expect((await bench.call('GET', `/api/rooms/${randomUUID()}/queue/head`)).statusCode).toBe(404)
    })
  })
})

/** The id of the room whose head it is. */
function idIn({ checkpoint }: HeadJson): string {
  return checkpoint.split('\n', 1)[0]?.split('/').at(-1) ?? ''
}
