import { expect, it } from 'vitest'
import type { GuardRequest } from '../src/adapters/request.ts'
import { browse, RoomStandIn } from './room-stand-in.ts'

const SECRET = 'a secret of the partner'

it('[G80] a secret header or the network of the client needs no pass, and nothing else does', async () => {
  const room = await RoomStandIn.open()
  const networks = ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32', '::1']
  const guard = room.guard({ bypass: { headers: { 'X-Partner': [SECRET, `${SECRET} 2`] }, networks } })
  const why = async (request: Partial<GuardRequest>) => {
    const verdict = await guard.check({ ...browse('/checkout'), ...request })
    return verdict.kind === 'let-in' ? verdict.why : verdict.kind
  }
  const withHeader = (value: string) => why({ header: (name) => (name === 'x-partner' ? value : undefined) })
  expect(await withHeader(SECRET)).toBe('bypass')
  expect(await withHeader(`${SECRET} 2`)).toBe('bypass')
  for (const wrong of ['', SECRET.slice(1), SECRET.toUpperCase(), `${SECRET} `, `${SECRET}, ${SECRET}`]) {
    expect(await withHeader(wrong), wrong).toBe('answer')
  }
  const inside = [
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::ffff:c000:207',
    '198.51.100.255',
    '2001:DB8:1::9',
    '::1',
    '::1%lo',
  ]
  for (const address of inside) expect(await why({ address }), address).toBe('bypass')
  const outside = [
    '192.0.2.8',
    '198.51.101.0',
    '2001:db9::',
    '::2',
    '::',
    '',
    'localhost',
    '192.0.2.07',
    '192.0.2',
    '1:2:3',
  ]
  for (const address of [...outside, '192.0.2.7, 192.0.2.7', '::1::', '2001:db8', undefined]) {
    expect(await why({ address }), String(address)).toBe('answer')
  }
})

it("[G80] a proxy's own header names the client where the adapter cannot", async () => {
  const room = await RoomStandIn.open()
  const addressOf = (header: (name: string) => string | undefined) => header('cf-connecting-ip')
  const guard = room.guard({ bypass: { networks: ['192.0.2.0/28'], addressOf } })
  const from = (address: string) =>
    guard.check({
      ...browse('/'),
      address: '192.0.2.1',
      header: (name) => (name === 'cf-connecting-ip' ? address : ''),
    })
  expect(await from('192.0.2.15')).toMatchObject({ why: 'bypass' })
  expect(await from('192.0.2.16')).toMatchObject({ kind: 'answer' })
})

it('[G80] rules that cannot be meant are refused at the start, all of them together', async () => {
  const room = await RoomStandIn.open()
  const bypass = {
    headers: { 'X-A': 'short', 'no name': SECRET },
    networks: ['10.0.0.1/8', '10.0.0.0/33', 'office', '::/'],
  }
  expect(() => room.guard({ bypass })).toThrow(
    /X-A(.|\n)*no name(.|\n)*10\.0\.0\.1\/8(.|\n)*\/33(.|\n)*office(.|\n)*::\//,
  )
})
