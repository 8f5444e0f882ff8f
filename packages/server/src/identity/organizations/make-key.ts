import { randomUUIDv7 } from 'node:crypto'
import { badField, type KeyRole, requireText, SeatwiseError } from '@seatwise/domain'
import { createApiKey } from '@seatwise/ledger'
import type { IdentityServices } from '../identity.ts'
import { makeApiKey } from './api-key.ts'

const KEYS_MAX = 50

interface KeyWish {
  readonly organizationId: string
  readonly name: string
  readonly role: KeyRole
  readonly expiresAt: Date | null
  readonly by: string
}

interface ShownKey {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly role: KeyRole
  readonly expiresAt: Date | null
}

/** Makes a key. It is in this answer and nowhere else. */
export async function makeKey(
  { ledger, identity, now }: Pick<IdentityServices, 'ledger' | 'identity' | 'now'>,
  { organizationId, name: typed, role, expiresAt, by }: KeyWish,
): Promise<ShownKey> {
  const name = requireText('name', typed)
  if (expiresAt !== null && !(expiresAt.getTime() > now())) throw badField('expiresAt', 'must be in the future')
  const { key, hash, ending } = makeApiKey()
  const id = randomUUIDv7()
  const made = await createApiKey(
    ledger.db,
    { id, organizationId, name, role, hash, ending, madeBy: by, expiresAt },
    KEYS_MAX,
  )
  if (!made) throw new SeatwiseError('TEAM_LIMIT')
  await identity.teams.refresh()
  return { id, key, name, role, expiresAt }
}
