import { randomUUIDv7 } from 'node:crypto'
import { badField, ROOM_DEFAULTS, type RoomSettings, readStart, requireText } from '@seatwise/domain'
import { createRoom, type RoomFacts } from '@seatwise/ledger'
import { type Actor, accountOf } from '../../http/index.ts'
import { chooseOrganization } from '../../identity/index.ts'
import type { RoomServices } from '../room-services.ts'
import { hostOf } from '../transparency/checkpoint.ts'

export interface RoomWishes {
  /** Whose it is to be; by default the first organization that the actor may make rooms for. */
  readonly organizationId?: string | undefined
  readonly name: string
  readonly target: string
  readonly paused: boolean
  readonly message: string | null
  readonly settings: Partial<RoomSettings>
}

/** Creates a room that belongs to an organization. */
export async function createOwnRoom(
  { config, ledger }: Pick<RoomServices, 'config' | 'ledger'>,
  wishes: RoomWishes,
  actor: Actor,
): Promise<RoomFacts> {
  return await createRoom(ledger.db, {
    id: randomUUIDv7(),
    organizationId: await chooseOrganization(ledger, actor, 'room', wishes.organizationId),
    ownerId: accountOf(actor),
    by: actor.id,
    name: requireText('name', wishes.name),
    target: requireTarget(wishes.target),
    settings: readStart({ ...ROOM_DEFAULTS, ...wishes.settings }, { salesStartAt: null, presaleStartAt: null }),
    paused: wishes.paused,
    message: requireMessage(wishes.message),
    logHost: hostOf(config),
  })
}

/** Visitors are sent to this address: an http or https URL without credentials, which would leak or mislead. */
export function requireTarget(text: string): string {
  const url = URL.parse(text)
  const isWeb = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  if (isWeb && url.username === '' && url.password === '') return url.href
  throw badField('target', 'must be an http or https URL without a user name or password in it')
}

export function requireMessage(text: string | null): string | null {
  return text === null ? null : requireText('message', text, { lines: true })
}
