import { SeatwiseError } from '@seatwise/domain'

export const NAME_LENGTH_MAX = 100
/** Short enough to fit into the access token. */
export const AVATAR_LENGTH_MAX = 512

/** Other visitors see the name: no control or invisible characters, and no surrounding white space. */
export function requireName(text: string): string {
  const name = text.normalize('NFC').trim()
  const isShowable =
    name !== '' &&
    text.isWellFormed() &&
    !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name)
  if (isShowable && [...name].length <= NAME_LENGTH_MAX) return name
  throw new SeatwiseError('BAD_REQUEST', {
    message: `body/name must have 1 to ${NAME_LENGTH_MAX} characters and no control characters`,
    details: { field: 'body/name' },
  })
}

/** Other visitors' browsers fetch the avatar: https only, and no credentials in the URL. */
export function requireAvatar(text: string): string {
  const url = URL.parse(text)
  const isFetchable = url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
  if (isFetchable && url.href.length <= AVATAR_LENGTH_MAX) return url.href
  throw new SeatwiseError('BAD_REQUEST', {
    message: 'body/avatar must be an https URL of an image, without a user name or password in it',
    details: { field: 'body/avatar' },
  })
}

/** The name of an account that was made by a link: what comes before the @, which its owner can change. */
export function nameFromAddress(address: string): string {
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  return [...local.normalize('NFC').replaceAll(/[\p{Cn}\p{Co}]/gu, '')].slice(0, NAME_LENGTH_MAX).join('') || '–'
}
