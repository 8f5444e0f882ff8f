import { SeatwiseError } from '@seatwise/domain'

export interface EmailAddress {
  /** As it was typed; this is what is shown and written to. */
  readonly address: string
  /** What makes two spellings the same account. */
  readonly key: string
}

/** RFC 5321. */
export const EMAIL_LENGTH_MAX = 254
const LOCAL_PART_LENGTH_MAX = 64

/** Any script may be used; what may not is white space, control characters, quotes and everything that would not survive a header. */
const SHAPE = /^[^\s@"(),:;<>[\\\]\p{C}]+@[^\s@"(),:;<>[\\\]\p{C}_]+$/u

/** Null when it cannot be an address. Whether somebody reads it there, only a letter can tell. */
export function parseEmail(text: string): EmailAddress | null {
  const address = text.normalize('NFC')
  const key = text.normalize('NFKC').toLowerCase()
  if (key.length > EMAIL_LENGTH_MAX || !text.isWellFormed() || !SHAPE.test(address) || !SHAPE.test(key)) return null
  const [local = '', domain = ''] = key.split('@')
  if (local.length > LOCAL_PART_LENGTH_MAX || hasEmptyPart(local) || hasEmptyPart(domain)) return null
  return { address, key }
}

export function requireEmail(text: string): EmailAddress {
  const email = parseEmail(text)
  if (email !== null) return email
  throw new SeatwiseError('BAD_REQUEST', {
    message: 'body/email must be an email address such as ada@example.com',
    details: { field: 'body/email' },
  })
}

function hasEmptyPart(text: string): boolean {
  return text.split('.').includes('')
}
