import assert from 'node:assert/strict'

/** What a ticket record has room for, and what every identity of a visitor has. */
export const IDENTITY_BYTES = 16

export function assertIdentity(identity: string): void {
  const isFitting = identity.length > 0 && Buffer.byteLength(identity) <= IDENTITY_BYTES
  assert(isFitting && !identity.includes('\0'), `An identity has at most ${IDENTITY_BYTES} characters, not ${identity}`)
}
