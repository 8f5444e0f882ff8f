import { SeatwiseError } from '@seatwise/domain'

export interface EmailAddress {
  /** As typed; this is what is shown and mailed to. */
  readonly address: string
  /** The normalised form: two spellings with the same key are the same account. */
  readonly key: string
}

/** RFC 5321. */
export const EMAIL_LENGTH_MAX = 254
const LOCAL_PART_LENGTH_MAX = 64

/**
 * Any script is allowed; white space, control characters, quotes and everything that would not survive a mail header
 * are not.
 */
const SHAPE = /^[^\s@"(),:;<>[\\\]\p{C}]+@[^\s@"(),:;<>[\\\]\p{C}_]+$/u

/** Null when it cannot be an address. Only a mail to it can show whether it exists. */
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
