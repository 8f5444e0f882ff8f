import { randomUUID } from 'node:crypto'
import { keepMailLink, type Ledger, startRefund } from '@seatwise/ledger'
import { openScratchLedger, readPdf } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EticketView } from '../../../src/box-office/etickets/describe-eticket.ts'
import type { App } from '../../../src/http/http-server.ts'
import {
  newEmail,
  openTestApp,
  PASSWORD,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { type Bought, buy } from '../../support/news.ts'

interface Accepted {
  readonly eticket: EticketView
  readonly accessToken: string
}

describe('transfers', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let buyer: Visitor
  let staff: Visitor

  beforeAll(async () => {
    ledger = await openScratchLedger()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' }, nowMs: Date.now() }))
    buyer = await registerVisitor(app)
    staff = await registerWithRole(app, ledger, 'staff')
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
  })

  type Method = 'GET' | 'POST' | 'DELETE'
  const call = (method: Method, url: string, authorization?: string, payload?: object) =>
    app.inject({
      ...{ method, url, headers: authorization === undefined ? {} : { authorization } },
      ...(payload === undefined ? {} : { payload }),
    })
  const bearer = (token: string) => `Bearer ${token}`
  const idOf = ({ etickets }: Bought, index = 0): string => etickets[index]?.id ?? ''
  const give = (id: string, email = 'bob@example.com', as = buyer.authorization) =>
    call('POST', `/api/etickets/${id}/transfer`, as, { email })
  /** The link as the mail has it. */
  const linkOf = async (eticketId: string): Promise<string> => {
    const open = ledger.db.selectFrom('transfers').select('id').where('eticket_id', '=', eticketId)
    const { id } = await open.orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow()
    return await keepMailLink(ledger.db, { kind: 'transfer', subjectId: id })
  }
  const given = async (id: string): Promise<string> => {
    expect((await give(id)).statusCode).toBe(202)
    return await linkOf(id)
  }
  const accept = (token: string, as?: string) => call('POST', `/api/transfers/${token}/accept`, as)
  const accepted = async (token: string, as?: string): Promise<Accepted> => {
    const answer = await accept(token, as)
    expect(answer.statusCode).toBe(200)
    return answer.json<Accepted>()
  }
  const scan = (code: string | null | undefined) => call('POST', '/api/checkin', staff.authorization, { code })
  const codeOf = async (id: string, as = buyer.authorization) =>
    (await call('GET', `/api/etickets/${id}`, as)).json<EticketView>().code

  it('[B180] [B181] an e-ticket changes hands when it is accepted, and not before', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    const old = await codeOf(idOf(bought))
    const token = await given(idOf(bought))
    expect((await call('GET', `/transfer/${token}`)).statusCode).toBe(200)
    expect(await codeOf(idOf(bought))).not.toBeNull()
    const { eticket, accessToken } = await accepted(token)
    expect(eticket).toMatchObject({ id: idOf(bought), status: 'VALID', seat: { row: 'A', number: 1 } })
    const again = await accepted(token)
    expect(again.eticket.id).toBe(eticket.id)
    expectError(await accept(token, buyer.authorization), 409, 'TRANSFER_OVER')
    expectError(await call('GET', `/api/etickets/${eticket.id}`, buyer.authorization), 403, 'FORBIDDEN')
    expect(await codeOf(eticket.id, bearer(accessToken))).not.toBeNull()
    expectError(await scan(old), 409, 'ETICKET_VOID')
    expect((await scan(eticket.code)).statusCode).toBe(200)
  })

  it('[B183] the buyer keeps the purchase without the code; the holder lists it; a refund voids it', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    const { eticket, accessToken } = await accepted(await given(idOf(bought)))
    const purchase = await call('GET', `/api/purchases/${bought.purchaseId}`, buyer.authorization)
    const codes = purchase.json<{ etickets: { id: string; code: string | null }[] }>().etickets
    expect(codes.find(({ id }) => id === eticket.id)?.code).toBeNull()
    expect(codes.filter(({ code }) => code !== null)).toHaveLength(1)
    const own = await call('GET', '/api/etickets', bearer(accessToken))
    expect(own.json<{ items: EticketView[] }>().items.map(({ id }) => id)).toEqual([eticket.id])
    const left = await call('GET', `/api/etickets?reservationId=${bought.reservationId}`, buyer.authorization)
    expect(left.json<{ items: EticketView[] }>().items.map(({ id }) => id)).toEqual([idOf(bought, 1)])
    await startRefund(ledger, { purchaseId: bought.purchaseId, reason: 'asked for' })
    expectError(await scan(eticket.code), 409, 'ETICKET_VOID')
  })

  it('[B154] [B183] the buyer prints only what was not transferred', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    const print = () => call('GET', `/api/purchases/${bought.purchaseId}/tickets.pdf`, buyer.authorization)
    expect(await readPdf((await print()).rawPayload)).toHaveLength(2)
    await accepted(await given(idOf(bought)))
    const [page = '', ...others] = await readPdf((await print()).rawPayload)
    expect(others).toEqual([])
    expect(page).toContain(idOf(bought, 1))
    await accepted(await given(idOf(bought, 1)))
    expectError(await print(), 404, 'NOT_FOUND')
  })

  it('[B184] a guest of the link acts in this sale only; an account accepts for itself', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    const { accessToken } = await accepted(await given(idOf(bought)))
    const as = bearer(accessToken)
    expectError(await give(idOf(bought), 'eve@example.com', as), 403, 'FORBIDDEN')
    expectError(await call('GET', '/api/auth/me', as), 403, 'FORBIDDEN')
    const signIn = { email: newEmail(), password: PASSWORD, name: 'Eve' }
    const headers = { 'seatwise-guest': accessToken }
    expectError(
      await app.inject({ method: 'POST', url: '/api/auth/register', headers, payload: signIn }),
      403,
      'FORBIDDEN',
    )
    const friend = await registerVisitor(app)
    const toFriend = await given(idOf(bought, 1))
    expectError(await accept(toFriend, as), 403, 'FORBIDDEN')
    const mine = await accepted(toFriend, friend.authorization)
    expect(await codeOf(mine.eticket.id, bearer(mine.accessToken))).not.toBeNull()
    expect(await codeOf(mine.eticket.id, friend.authorization)).not.toBeNull()
    expectError(await accept(toFriend), 409, 'TRANSFER_OVER')
    expect((await give(mine.eticket.id, 'next@example.com', friend.authorization)).statusCode).toBe(202)
  })

  it('[B180] only the holder offers and withdraws; bad addresses and ids are refused', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const stranger = await registerVisitor(app)
    const withdraw = (as: string) => call('DELETE', `/api/etickets/${idOf(bought)}/transfer`, as)
    expectError(await give(idOf(bought), undefined, stranger.authorization), 403, 'FORBIDDEN')
    expectError(await give(idOf(bought), 'no address'), 400, 'BAD_REQUEST')
    expectError(await give(randomUUID()), 404, 'NOT_FOUND')
    expectError(await give('nonsense'), 404, 'NOT_FOUND')
    const token = await given(idOf(bought))
    expectError(await withdraw(stranger.authorization), 403, 'FORBIDDEN')
    for (const _ of [1, 2]) expect((await withdraw(buyer.authorization)).statusCode).toBe(204)
    expectError(await accept(token), 409, 'TRANSFER_OVER')
    expectError(await call('DELETE', `/api/etickets/${randomUUID()}/transfer`, buyer.authorization), 404, 'NOT_FOUND')
  })

  it('[B182] what is used, void or of an event that has begun stays where it is', async () => {
    const used = await buy(ledger, { buyerId: buyer.id })
    const toUsed = await given(idOf(used))
    await scan(await codeOf(idOf(used)))
    expectError(await accept(toUsed), 409, 'ALREADY_USED')
    expectError(await give(idOf(used)), 409, 'ALREADY_USED')
    const refunded = await buy(ledger, { buyerId: buyer.id })
    const toRefunded = await given(idOf(refunded))
    await startRefund(ledger, { purchaseId: refunded.purchaseId, reason: 'asked for' })
    expectError(await accept(toRefunded), 409, 'ETICKET_VOID')
    const after = { transfersUntil: '2026-01-01T00:00:00Z' }
    const closed = await buy(ledger, { buyerId: buyer.id, facts: { after } })
    expectError(await give(idOf(closed)), 409, 'TRANSFERS_CLOSED')
    const begun = await buy(ledger, { buyerId: buyer.id, facts: { startsAt: '2026-01-02T00:00:00Z' } })
    expectError(await give(idOf(begun)), 409, 'TRANSFERS_CLOSED')
  })

  it('[B190] a token is random, stored as a hash, and opens nothing of another kind', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const token = await given(idOf(bought))
    const stored = await ledger.db.selectFrom('mail_links').select(['token_hash', 'subject_id']).execute()
    expect(stored.some(({ token_hash }) => token_hash === token)).toBe(false)
    expect(await linkOf(idOf(bought))).not.toBe(token)
    const order = await keepMailLink(ledger.db, { kind: 'order', subjectId: bought.reservationId })
    expectError(await accept(order), 404, 'NOT_FOUND')
    for (const wrong of [`${token}x`, token.slice(1), 'a', randomUUID()]) {
      expectError(await accept(wrong), 404, 'NOT_FOUND')
    }
    for (const path of ['orders', 'offers', 'returns']) {
      expect((await call('GET', `/${path}/${token}`)).statusCode).toBe(404)
    }
  })

  it('[B191] mail to typed addresses is limited for each sender and each address, unless limits are off', async () => {
    const { app: limited, services: own } = await openTestApp(ledger, { nowMs: Date.now() })
    const visitor = await registerVisitor(limited)
    const bought = await buy(ledger, { buyerId: visitor.id })
    const ask = (email: string, remoteAddress: string) =>
      limited.inject({
        ...{ method: 'POST', url: `/api/etickets/${idOf(bought)}/transfer`, remoteAddress },
        ...{ headers: { authorization: visitor.authorization }, payload: { email } },
      })
    const statuses: number[] = []
    for (let index = 0; index < 6; index += 1) {
      statuses.push((await ask('Bob@Example.com', `2001:db8:${index}::1`)).statusCode)
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    const sent: number[] = []
    for (let index = 0; index < 31; index += 1) {
      sent.push((await ask(`bob${index}@example.com`, `2001:db8:ffff::${index + 1}`)).statusCode)
    }
    expect(sent.filter((status) => status === 429)).toHaveLength(1)
    expect(sent.at(-1)).toBe(429)
    await limited.close()
    await own.rooms.close()
    const free = await buy(ledger, { buyerId: buyer.id })
    for (let index = 0; index < 8; index += 1) expect((await give(idOf(free))).statusCode).toBe(202)
  })
})
