import { isIP } from 'node:net'
import { badField } from '@seatwise/domain'
import { isPublicAddress } from './public-address.ts'

/** The canonical address of a webhook; its name is resolved and checked at every call. */
export function requireWebhookUrl(text: string, allowPrivate: boolean): string {
  const url = URL.parse(text)
  const isAllowed = url?.protocol === 'https:' || (allowPrivate && url?.protocol === 'http:')
  if (url === null || !isAllowed || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw badField('url', 'must be an https URL without a user name, password or fragment in it')
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw badField('url', 'must lead to the public internet')
  }
  return url.href
}
