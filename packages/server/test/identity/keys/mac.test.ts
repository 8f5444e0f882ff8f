import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Mac } from '../../../src/identity/keys/mac.ts'

const macOf = (key: Buffer, message: Buffer): string =>
  Buffer.from(new Mac(createSecretKey(key)).of(message, 'latin1'), 'latin1').toString('hex')

describe('message authentication codes', () => {
  it.each([
    {
      key: Buffer.alloc(20, 0x0b),
      message: Buffer.from('Hi There'),
      mac: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    },
    {
      key: Buffer.from('Jefe'),
      message: Buffer.from('what do ya want for nothing?'),
      mac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    },
    {
      key: Buffer.alloc(20, 0xaa),
      message: Buffer.alloc(50, 0xdd),
      mac: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    },
    {
      key: Buffer.alloc(131, 0xaa),
      message: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
      mac: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    },
  ])('[A16] a MAC is HMAC-SHA256 as in the vectors of RFC 4231', ({ key, message, mac }) => {
    expect(macOf(key, message)).toBe(mac)
  })

  it('[A16] the common start of all messages is part of the MAC', () => {
    const key = createSecretKey(randomBytes(32))
    for (const start of ['', 'header.', 'h'.repeat(64), 'h'.repeat(200)]) {
      const mac = new Mac(key, start)
      for (const rest of ['first', '', 'r'.repeat(300)]) {
        const expected = createHmac('sha256', key)
          .update(start + rest)
          .digest('base64url')
        expect(mac.of(rest, 'base64url')).toBe(expected)
      }
    }
  })

  it('[A16] the first bytes of a MAC can be written into a buffer', () => {
    const key = createSecretKey(randomBytes(32))
    const target = Buffer.alloc(20, 0xff)
    new Mac(key).write('who draws one by the million', target, 2, 16)
    const expected = createHmac('sha256', key).update('who draws one by the million').digest()
    expect(target).toEqual(Buffer.concat([Buffer.alloc(2, 0xff), expected.subarray(0, 16), Buffer.alloc(2, 0xff)]))
  })
})
