import assert from 'node:assert/strict'

/** What a ticket record has room for. */
const IDENTITY_BYTES_MAX = 16

export function assertIdentity(identity: string): void {
  const isFitting = identity.length > 0 && Buffer.byteLength(identity) <= IDENTITY_BYTES_MAX
  assert(isFitting && !identity.includes('\0'), `An identity has at most 16 characters, not ${identity}`)
}
