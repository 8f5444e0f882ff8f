import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface PinOptions {
  readonly resolve?: Resolve
  /** For closed networks: allows any address. */
  readonly allowPrivate: boolean
}

/**
 * The one address that is called for a URL. It is resolved once, checked, and then used: a name that resolves
 * differently the next time (rebinding) gains nothing. A name with any private address is refused as a whole.
 */
export async function pinAddress(url: URL, { resolve = resolveByDns, allowPrivate }: PinOptions): Promise<string> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  const [first] = addresses
  if (first === undefined) throw new Error(`${host} has no address`)
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new Error(`${host} is not on the public internet`)
  return first
}

async function resolveByDns(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}
