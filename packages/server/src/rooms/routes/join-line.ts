import { randomUUID } from 'node:crypto'
import { badField, type ErrorCode, requireExtras, SeatwiseError, type TicketProfile } from '@seatwise/domain'
import type { JoinReply, JoinRequest } from '@seatwise/line'
import { type Actor, senderOf } from '../../http/index.ts'
import { type IssuedToken, requireAvatar, requireName } from '../../identity/index.ts'
import { traced } from '../../kit/index.ts'
import { type AskedProof, askForProof, type Given } from '../challenge/ask-for-proof.ts'
import { requireAccess } from '../codes/require-access.ts'
import type { Device, DeviceTicket } from '../devices/device-cookie.ts'
import { joinFromDevice } from '../devices/judge-device.ts'
import { endHandedSessions } from '../handover/end-handed-sessions.ts'
import type { OfEpoch, Room, RoomView } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { hashOfCode, readPriorityCode } from '../tokens/priority-code.ts'
import { isHandedOver } from '../tokens/ticket-token.ts'
import type { Profile, Profiles } from './profiles.ts'
import { ownNumber } from './tell-visitor.ts'

export interface JoinParts extends Pick<RoomServices, 'config' | 'ledger' | 'identity' | 'roomTokens' | 'now'> {
  readonly profiles: Profiles
}

export interface Visitor {
  readonly actor: Actor | null
  readonly address: string
  readonly userAgent: string | null
  /** As its cookie tells; null for a browser that never drew a ticket, and for programs. */
  readonly device: Device | null
  /** The key that a client repeats when it retries a join. */
  readonly key?: string | undefined
}

export interface JoinWishes extends Given {
  readonly priorityCode?: string
  /** Of the event: needed in its presale. */
  readonly code?: string
  /** In a room for invited visitors. */
  readonly invitation?: string
  /** The code of a group to stand together with. */
  readonly group?: string
  readonly name?: string
  readonly avatar?: string | null
  readonly showMe?: boolean
  readonly metadata?: Record<string, unknown>
}

export interface JoinedLine {
  readonly view: RoomView
  readonly identity: string
  /** The access token of a guest that this join created. */
  readonly guest: IssuedToken | null
  /** The ticket that this join drew for a guest, which the device remembers; else null. */
  readonly drawn: DeviceTicket | null
}

const METADATA_BYTES_MAX = 1_024
const USER_AGENT_LENGTH_MAX = 512
/** Anyone who guesses a guest's key becomes that guest, so a short key is ignored. */
const GUEST_KEY_LENGTH_MIN = 16
/** No guest loses the identity in the middle of a visit. */
const GUEST_MS_MIN = 12 * 60 * 60 * 1_000

/** Draws a ticket for a visitor, or finds the existing one. Counts what it refuses. */
export const joinLine: typeof drawTicket = traced('queue.join', async (parts, room, ...given) => {
  try {
    return await drawTicket(parts, room, ...given)
  } catch (error) {
    if (error instanceof SeatwiseError) parts.roomTokens.refusals.count(room.id, error.code)
    throw error
  }
})

async function drawTicket(
  parts: JoinParts,
  room: Room,
  visitor: Visitor,
  wishes: JoinWishes,
  { takesBack }: { takesBack: boolean } = { takesBack: true },
): Promise<JoinedLine> {
  // The route has asked before; a page, or a caller whose body came late, is asked here.
  room.refuseCrowd()
  if (room.row.state === 'cancelled') throw new SeatwiseError('EVENT_CANCELLED')
  if (wishes.code !== undefined && room.settings.draw !== 'none') {
    throw badField('code', 'cannot open a line that is drawn')
  }
  const needsCode = room.isPresale || wishes.code !== undefined
  const sent = { text: wishes.code, address: visitor.address }
  const { access } = needsCode ? await requireAccess(parts, room, sent) : { access: false }
  const isInVain = room.row.hidesSeats && !access && (await hasNothingPublic(parts, room))
  const { actor, guest } = whoJoins(parts, room, visitor)
  const profile: Profile = {
    name: wishes.name === undefined ? (actor.name ?? null) : requireName(wishes.name),
    avatar: avatarOf(wishes.avatar, actor.avatar ?? null),
  }
  const identity = parts.roomTokens.identities.of(actor.id)
  const entry = await parts.roomTokens.entries.judge(room, {
    ...{ actor, invitation: wishes.invitation, hasPriority: wishes.priorityCode !== undefined },
    address: parts.config.rateLimits ? visitor.address : null,
  })
  const inVain = isInVain ? 'SOLD_OUT' : entry.refusal
  const asked = inVain === null ? askForProof(parts, room, visitor.address, wishes) : nothingFor(inVain)
  const group = wishes.group === undefined ? null : readGroup(parts, room, wishes.group, visitor.address)
  const request: JoinRequest = {
    identity,
    ...(group === null ? {} : { group }),
    ...asked.request,
    ...priorityOf(parts, room, wishes.priorityCode),
    ...(actor.role === 'guest' ? { limit: guestLimit(parts, room, visitor.address) } : {}),
    ...(wishes.showMe === true && profile.name !== null
      ? { shown: { name: profile.name, avatar: profile.avatar } }
      : {}),
    profile: JSON.stringify(ticketProfile(actor, profile, visitor, wishes)),
  }
  const isGuest = actor.role === 'guest'
  const device = isGuest && inVain === null ? visitor.device : null
  const joined = await orUndo(entry.undo, async () => {
    const reply = await joinFromDevice(parts, room, device, request, (asks) => room.join(asks))
    asked.judge(reply)
    if (reply.status === 'sale_ended' && (await room.isCancelled())) throw new SeatwiseError('EVENT_CANCELLED')
    return { view: requireJoined(reply), isNew: reply.status === 'joined' }
  })
  const view = await hold(parts, room, joined, { actor, identity, takesBack })
  parts.profiles.remember(room.id, ownNumber(view), profile)
  const isRemembered = joined.isNew && isGuest && room.settings.guestsPerDevice > 0
  return { view, identity, guest, drawn: isRemembered ? { roomId: room.id, number: ownNumber(view) } : null }
}

/** Only hidden seats are left, and this line is not kept for returned ones. Rule E45. */
async function hasNothingPublic({ roomTokens }: JoinParts, { row, settings }: Room): Promise<boolean> {
  // A line that is drawn takes no codes: there visitors show them when they reserve.
  if (row.eventId === null || settings.keepLineWhenSoldOut || settings.draw !== 'none') return false
  return await roomTokens.publicStocks.isGone(row.eventId)
}

/** A newcomer would have to prove what no visitor can; one who has a live ticket need not prove anything. */
function nothingFor(code: ErrorCode): AskedProof {
  return {
    request: { proof: null },
    judge({ status }) {
      if (status === 'proof_missing') throw new SeatwiseError(code)
    },
  }
}

async function orUndo<Value>(undo: () => Promise<void>, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    await undo()
    throw error
  }
}

/**
 * Of two devices of one visitor, the one that deliberately joined last holds the ticket. Joining with the owner's own
 * token takes a handed-over ticket back; a token that is limited to this sale never does, and holds only what it draws.
 */
async function hold(
  parts: JoinParts,
  room: Room,
  { view, isNew }: { view: RoomView; isNew: boolean },
  { actor, identity, takesBack }: { actor: Actor; identity: string; takesBack: boolean },
): Promise<RoomView> {
  const isOwnDevice = actor.sale === undefined
  if (isOwnDevice !== isHandedOver(view)) return view
  // The other device holds it, unless this one has just drawn it.
  const isMine = isOwnDevice ? takesBack : isNew
  // First: if this server dies in between, the owner retries, and the other device has already lost the place.
  if (isOwnDevice && takesBack) await endHandedSessions(parts, { roomId: room.id, ownerId: actor.id })
  const { generation } = view
  const moved = isMine
    ? await room.move({ number: ownNumber(view), identity, generation, operation: randomUUID() })
    : null
  if (moved?.status !== 'moved_here') throw new SeatwiseError('TICKET_MOVED')
  return moved
}

function whoJoins(parts: JoinParts, room: Room, visitor: Visitor): { actor: Actor; guest: IssuedToken | null } {
  const { actor } = visitor
  if (actor !== null && actor.role !== 'guest') return { actor, guest: null }
  if (actor !== null && room.settings.guests) return { actor, guest: longerToken(parts, room, actor) }
  if (actor !== null) throw new SeatwiseError('GUESTS_NOT_ALLOWED')
  if (!room.settings.guests) throw new SeatwiseError('UNAUTHORIZED')
  const guest: Actor = { id: newGuestId(parts, room, visitor), role: 'guest', name: null, avatar: null }
  return { actor: guest, guest: parts.identity.tokens.issue({ ...guest, expiresAt: guestsUntil(parts, room) }) }
}

/** When the token of a guest of this room expires, in seconds since 1970; undefined for as long as other tokens last. */
function guestsUntil({ now }: JoinParts, { row }: Room): number | undefined {
  const until = Math.floor((row.guestsUntil?.getTime() ?? 0) / 1_000)
  // An event that ended before its sale did.
  return until * 1_000 > now() + GUEST_MS_MIN ? until : undefined
}

/** A guest who comes to a later event keeps the identity until that one is over; else null. */
function longerToken(parts: JoinParts, room: Room, actor: Actor): IssuedToken | null {
  const until = guestsUntil(parts, room)
  if (actor.sale !== undefined || until === undefined || until <= (actor.expiresAt ?? 0)) return null
  return parts.identity.tokens.issue({ ...actor, expiresAt: until })
}

/** The same id for a retried join: otherwise a visitor who lost the answer would have a second place in the line. */
function newGuestId({ roomTokens }: JoinParts, room: Room, { address, key = '' }: Visitor): string {
  if (key.length < GUEST_KEY_LENGTH_MIN) return randomUUID()
  return roomTokens.identities.guestOf(room.id, senderOf(address), key)
}

function guestLimit({ roomTokens }: JoinParts, room: Room, address: string): { key: string; max: number } {
  return { key: roomTokens.identities.ofAddress(senderOf(address)), max: room.settings.guestsPerAddress }
}

/** The number of the visitor who shared this code; wrong codes are limited. Rule R140. */
function readGroup({ config, roomTokens }: JoinParts, room: Room, typed: string, address: string): number {
  const guess = config.rateLimits ? roomTokens.groupGuesses.begin(room.id, address) : null
  const number = roomTokens.groups.read(room.id, typed)
  if (number === null) throw new SeatwiseError('BAD_CODE', { message: 'There is no group with this code' })
  guess?.succeeded()
  return number
}

/** Only a signed code grants a class above normal. */
function priorityOf(
  { identity, now }: JoinParts,
  room: Room,
  text: string | undefined,
): Pick<JoinRequest, 'class' | 'code'> {
  if (text === undefined) return { class: 0 }
  const code = readPriorityCode(identity.keys, text)
  if (code === null || code.room !== room.id) throw new SeatwiseError('BAD_CODE')
  if (code.expiresAt <= now()) throw new SeatwiseError('BAD_CODE', { message: 'This code has expired' })
  return { class: code.class, code: hashOfCode(text) }
}

function avatarOf(wished: string | null | undefined, own: string | null): string | null {
  if (wished === undefined) return own
  return wished === null ? null : requireAvatar(wished)
}

function ticketProfile(
  actor: Actor,
  { name, avatar }: Profile,
  { address, userAgent }: Visitor,
  { metadata }: JoinWishes,
): TicketProfile {
  return {
    userId: actor.role === 'guest' ? undefined : actor.id,
    guestId: actor.role === 'guest' ? actor.id : undefined,
    name: name ?? undefined,
    avatar: avatar ?? undefined,
    address,
    userAgent: userAgent?.slice(0, USER_AGENT_LENGTH_MAX),
    metadata: metadata && requireExtras('metadata', metadata, METADATA_BYTES_MAX),
  }
}

function requireJoined(reply: JoinReply & OfEpoch): RoomView {
  switch (reply.status) {
    case 'joined':
    case 'present':
      return reply
    case 'not_started':
      throw new SeatwiseError('SALES_NOT_STARTED')
    case 'drawing':
      throw new SeatwiseError('DRAWING', { retryAfterSeconds: 2 })
    case 'sale_ended':
      throw new SeatwiseError('SALES_ENDED')
    case 'sold_out':
      throw new SeatwiseError('SOLD_OUT')
    case 'full':
      throw new SeatwiseError('QUEUE_FULL')
    case 'limit_reached':
      throw new SeatwiseError('TOO_MANY_GUESTS')
    case 'code_used':
      throw new SeatwiseError('CODE_USED')
    case 'group_over':
      throw new SeatwiseError('GROUP_OVER')
    case 'group_full':
      throw new SeatwiseError('GROUP_FULL')
    case 'in_group':
      throw new SeatwiseError('IN_GROUP')
    case 'log_full':
      throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 5 })
    case 'held':
    case 'proof_missing':
    case 'proof_spent':
    case 'refused':
      throw new Error(`Joining was answered with ${reply.status}, which was not asked`)
  }
}
