import { randomUUIDv7 } from 'node:crypto'
import {
  badField,
  DRAW_DEFAULTS,
  ROOM_DEFAULTS,
  type RoomSettings,
  readStart,
  requireInstant,
  requireText,
} from '@seatwise/domain'
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
  /** When the line opens and closes; null: always open. */
  readonly opensAt: string | null
  readonly closesAt: string | null
}

/** Creates a room that belongs to an organization. */
export async function createOwnRoom(
  { config, ledger }: Pick<RoomServices, 'config' | 'ledger'>,
  wishes: RoomWishes,
  actor: Actor,
): Promise<RoomFacts> {
  const schedule = readSchedule(wishes)
  const drawn = (wishes.settings.draw ?? 'none') === 'none' ? {} : DRAW_DEFAULTS
  const chosen = { ...ROOM_DEFAULTS, ...drawn, ...wishes.settings }
  return await createRoom(ledger.db, {
    id: randomUUIDv7(),
    organizationId: await chooseOrganization(ledger, actor, 'room', wishes.organizationId),
    ownerId: accountOf(actor),
    by: actor.id,
    name: requireText('name', wishes.name),
    target: requireTarget(wishes.target),
    settings: readStart(chosen, { salesStartAt: schedule.opensAt, presaleStartAt: null }),
    ...schedule,
    paused: wishes.paused,
    message: requireMessage(wishes.message),
    logHost: hostOf(config),
  })
}

export interface Schedule {
  readonly opensAt: Date | null
  readonly closesAt: Date | null
}

export function readSchedule(of: { readonly opensAt: string | null; readonly closesAt: string | null }): Schedule {
  const opensAt = of.opensAt === null ? null : requireInstant('opensAt', of.opensAt)
  const closesAt = of.closesAt === null ? null : requireInstant('closesAt', of.closesAt)
  if (opensAt !== null && closesAt !== null && closesAt <= opensAt) throw badField('closesAt', 'must be after opensAt')
  return { opensAt, closesAt }
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
