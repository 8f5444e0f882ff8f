import { CODE_LIMITS, codeKey, discountOf, isFor, opens, readCodesDraft, SeatwiseError } from '@seatwise/domain'
import { describe, expect, it } from 'vitest'

describe('codes', () => {
  it('[B110] case, blanks and hyphens do not make another code, and what is nothing else is none', () => {
    const spellings = ['Spring-26', ' spring 26', 'SPRING\u201326', 'spring26', 'ＳＰＲＩＮＧ２６']
    expect(new Set(spellings.map(codeKey))).toEqual(new Set(['SPRING26']))
    for (const none of ['', ' - ', '\u2014', 'a\u0000b', 'x'.repeat(CODE_LIMITS.codeLength + 1)])
      expect(codeKey(none)).toBe('')
    expect(codeKey('봄 할인')).toBe('봄할인')
    // One letter may become two: the key is as bounded as the text.
    expect(codeKey('ß'.repeat(CODE_LIMITS.codeLength))).toBe('')
  })

  it('[B110] a draft has a text or a number, and one effect at least', () => {
    const fieldOf = (body: object): unknown => {
      try {
        return readCodesDraft(body)
      } catch (error) {
        return error instanceof SeatwiseError ? error.details.field : error
      }
    }
    expect(fieldOf({ percent: 5 })).toBe('body/code')
    expect(fieldOf({ code: 'A', price: 0, amountOff: 1 })).toBe('body/price')
    expect(fieldOf({ code: 'A', validFrom: 'tomorrow', access: true })).toBe('body/validFrom')
    expect(fieldOf({ code: ' A b ', price: 0 })).toMatchObject({
      wanted: { code: 'A b' },
      reduction: { price: 0 },
      access: false,
    })
    expect(fieldOf({ count: 3, access: true })).toMatchObject({ wanted: { count: 3 }, reduction: null, usesMax: null })
  })

  it('[B115, B116] a code is for the seat types it names, and opens them only with access', () => {
    const some = { reduction: { percent: 5 }, access: false, seatTypeIds: ['a'] }
    expect([isFor(some, ['b', 'a']), isFor(some, ['b']), isFor({ seatTypeIds: null }, ['b'])]).toEqual([
      true,
      false,
      true,
    ])
    expect([opens(some, 'a'), opens({ ...some, access: true }, 'a'), opens({ ...some, access: true }, 'b')]).toEqual([
      ...[false, true, false],
    ])
    expect(opens({ access: true, seatTypeIds: null }, 'b')).toBe(true)
    expect(discountOf('A', { reduction: null, seatTypeIds: null })).toBeNull()
    expect(discountOf('A', some)).toEqual({ name: 'A', reduction: { percent: 5 }, seatTypeIds: ['a'] })
  })
})
