import assert from 'node:assert/strict'

/** The size of the identity in a ticket record, and the length of every real identity. */
export const IDENTITY_BYTES = 16

export function assertIdentity(identity: string): void {
  const isFitting = identity.length > 0 && Buffer.byteLength(identity) <= IDENTITY_BYTES
  assert(
    isFitting && !identity.includes('\0'),
    `An identity must have 1 to ${IDENTITY_BYTES} bytes and no zero byte, unlike ${identity}`,
  )
}
