import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
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

  it('[A16] messages of every length, one after the other, have the MAC that Node computes', () => {
    const key = createSecretKey(randomBytes(32))
    const mac = new Mac(key)
    for (const length of [5_000, 0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 2_047, 2_048, 2_049, 300, 10_000, 3]) {
      const message = randomBytes(length)
      const text = message.toString('latin1')
      expect(mac.of(message, 'base64url')).toBe(createHmac('sha256', key).update(message).digest('base64url'))
      expect(mac.of(text, 'base64url')).toBe(createHmac('sha256', key).update(text).digest('base64url'))
    }
  })

  it('[A16] the common start of all messages is part of the MAC, though it is hashed once', () => {
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

  it('[A16] our MAC equals Node’s HMAC-SHA256 for any key, start and message', () => {
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 3_000 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      // Unpaired surrogates too, which UTF-8 replaces.
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
    )
    const start = fc.string({ unit: 'binary', maxLength: 150 })
    const keys = fc.uint8Array({ minLength: 1, maxLength: 150 })
    const property = fc.property(
      keys,
      start,
      fc.array(message, { maxLength: 4 }),
      fc.nat(32),
      (bytes, prefix, messages, length) => {
        const key = createSecretKey(bytes)
        const mac = new Mac(key, prefix)
        for (const each of messages) {
          const expected = createHmac('sha256', key).update(prefix).update(each).digest()
          expect(mac.of(each, 'base64url')).toBe(expected.toString('base64url'))
          const target = Buffer.alloc(34, 0xff)
          mac.write(each, target, 1, length)
          const untouched = Buffer.alloc(33 - length, 0xff)
          expect(target).toEqual(Buffer.concat([Buffer.of(0xff), expected.subarray(0, length), untouched]))
        }
      },
    )
    fc.assert(property, { numRuns: 300 })
  })
})
