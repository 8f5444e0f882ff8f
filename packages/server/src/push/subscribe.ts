import { type PushErrorCode, SeatwiseError, type Subscribe } from '@seatwise/domain'
import type { TicketView } from '@seatwise/line'
import { ownNumber, type Room, type TicketClaims, ticketId, ticketNumber } from '../rooms/index.ts'
import { type ChannelName, parseChannelName } from './channel-name.ts'
import { PrivateSubscription } from './channels/private-channel.ts'
import type { RoomChannels } from './channels/room-channels.ts'
import { CHANNELS_MAX } from './client-message.ts'
import type { Hub } from './hub.ts'
import type { Connection, Subscription } from './transport/connection.ts'

/** A channel that may be listened to; `begin` sends its state, and everything from then on. */
interface Ready {
  readonly channel: string
  begin(): void
  cancel(): void
}

interface Refused {
  readonly channel: string
  readonly code: PushErrorCode
  readonly retryAfterMs?: number
}

const PING_MS_MIN = 500
const PING_MS_MAX = 20_000
/** Three pings fit into the time after which a visitor counts as absent. */
const PINGS_BEFORE_ABSENT = 3
const RETRY_MS = 1_000

const SENTENCES: Readonly<Record<PushErrorCode, string>> = {
  FORBIDDEN_CHANNEL: 'This channel needs the ticket token of its ticket',
  TICKET_MOVED: 'Your place went to another device',
  TICKET_ENDED: 'This ticket is over',
  NOT_FOUND: 'There is no such channel',
  TOO_MANY_CHANNELS: `One connection listens to ${CHANNELS_MAX} channels at most`,
  BAD_MESSAGE: 'This is not a message that is understood here',
  UNAVAILABLE: 'The room cannot be followed at the moment; polling tells more',
}

/**
 * Subscribes to the permitted channels of a message, and says which. `held` are the tickets that the request itself
 * carried, in a header or in the browser's cookie.
 */
export async function subscribe(
  hub: Hub,
  connection: Connection,
  message: Subscribe,
  held: readonly TicketClaims[],
): Promise<void> {
  const tickets = message.ticketToken === undefined ? held : ticketsIn(hub, message.ticketToken)
  const wanted = [...new Set(message.channels)].filter((channel) => !connection.subscriptions.has(channel))
  const room = CHANNELS_MAX - connection.subscriptions.size
  const outcomes = await Promise.all(
    wanted.map((channel, index) =>
      index < room ? prepare(hub, connection, message, channel, tickets) : refuse(channel, 'TOO_MANY_CHANNELS'),
    ),
  )
  for (const outcome of outcomes) if ('code' in outcome) tellRefusal(connection, outcome)
  const ready = outcomes.filter((outcome) => 'begin' in outcome)
  const again = message.channels.filter((channel) => connection.subscriptions.has(channel))
  const channels = [...again, ...ready.map(({ channel }) => channel)]
  if (channels.length > 0) connection.tell({ type: 'SUBSCRIBED', channels })
  for (const one of ready) {
    // The connection may have closed while the store was asked.
    if (connection.isOpen && !connection.subscriptions.has(one.channel)) one.begin()
    else one.cancel()
  }
}

function ticketsIn(hub: Hub, ticketToken: string): TicketClaims[] {
  const claims = hub.services.roomTokens.tickets.read(ticketToken)
  return claims === null ? [] : [claims]
}

export function unsubscribe(connection: Connection, channels: readonly string[]): void {
  for (const channel of channels) {
    const subscription = connection.subscriptions.get(channel)
    if (subscription === undefined) continue
    connection.subscriptions.delete(channel)
    subscription.end()
    connection.tell({ type: 'UNSUBSCRIBED', channel, code: 'ASKED' })
  }
}

export function tellRefusal(
  connection: Connection,
  refused: { readonly code: PushErrorCode; readonly channel?: string; readonly retryAfterMs?: number },
): void {
  connection.tell({ type: 'ERROR', message: SENTENCES[refused.code], ...refused })
}

async function prepare(
  hub: Hub,
  connection: Connection,
  message: Subscribe,
  channel: string,
  tickets: readonly TicketClaims[],
): Promise<Ready | Refused> {
  const name = parseChannelName(channel)
  if (name === null) return refuse(channel, 'NOT_FOUND')
  const claims = tickets.find(({ room, number }) => ticketId(room, number) === name.ticketId) ?? ofGroup(tickets, name)
  // Without this very ticket a client learns nothing, not even whether there is such a room.
  if (name.ticketId !== null && claims === undefined) return refuse(channel, 'FORBIDDEN_CHANNEL')
  try {
    const room = await hub.roomOf(name)
    if (claims === undefined)
      return await preparePublic(await hub.channelsOf(room), connection, message, { channel, name })
    if (claims.room !== room.id) return refuse(channel, 'FORBIDDEN_CHANNEL')
    return await preparePrivate(await hub.channelsOf(room), connection, claims, { channel, name })
  } catch (error) {
    if (!(error instanceof SeatwiseError)) throw error
    if (error.status < 500) return refuse(channel, 'NOT_FOUND')
    return { channel, code: 'UNAVAILABLE', retryAfterMs: Math.round(RETRY_MS * (1 + Math.random())) }
  }
}

async function preparePublic(
  channels: RoomChannels,
  connection: Connection,
  message: Subscribe,
  { channel, name }: { channel: string; name: ChannelName },
): Promise<Ready> {
  const wishes = {
    since: message.since ?? null,
    without: new Set<string>(message.without ?? []),
    presence: message.presence === true && channels.feed.presence.isOn,
  }
  // The ledger may be down; neither the line nor waiting visitors need it.
  if (!wishes.without.has('SEATS')) await channels.seats?.begin().catch(() => undefined)
  return {
    channel,
    begin() {
      const listener = channels.publicOf(name.address).join(connection, wishes, channels.feed.document)
      add(connection, listener)
      const { position, presence } = channels.feed
      if (message.seats !== undefined) {
        for (const news of channels.seats?.since(message.seats) ?? [])
          connection.tell({ ...news, channel, ...position })
      }
      if (!wishes.presence) return
      presence.present().then(
        (news) => connection.tell({ ...news, channel, ...channels.feed.position }),
        // Later arrivals and departures are sent anyway.
        () => undefined,
      )
    },
    cancel() {},
  }
}

async function preparePrivate(
  channels: RoomChannels,
  connection: Connection,
  claims: TicketClaims,
  { channel, name }: { channel: string; name: ChannelName },
): Promise<Ready | Refused> {
  const { room } = channels
  const subscription = new PrivateSubscription({
    ...{ channel, connection, claims, pingMs: pingMsOf(room) },
    onAlive: () => room.heartbeat(claims.number),
    onEnd: (ended) => channels.removePrivate(ended),
  })
  // Before asking the store: messages in between are buffered.
  const ofTicket = channels.addPrivate(subscription)
  try {
    const found = await room.look(claims)
    const code = refusalOf(room, claims, name, found.view)
    if (code !== null) {
      subscription.end()
      return refuse(channel, code)
    }
    const { position, news } = await channels.tellFirst(ofTicket, found)
    return {
      channel,
      begin() {
        add(connection, subscription)
        subscription.begin(position, news)
      },
      cancel: () => subscription.end(),
    }
  } catch (error) {
    subscription.end()
    throw error
  }
}

/** A visitor who stands with a group may name its ticket, which the store then confirms. */
function ofGroup(tickets: readonly TicketClaims[], { ticketId: wanted }: ChannelName): TicketClaims | undefined {
  return tickets.find(({ room }) => wanted !== null && ticketNumber(room, wanted) !== null)
}

function refusalOf(
  { id }: Room,
  claims: TicketClaims,
  { ticketId: wanted }: ChannelName,
  view: TicketView,
): PushErrorCode | null {
  const own = ownNumber(view)
  const isTheirs = wanted === ticketId(id, own) || wanted === ticketId(id, view.number)
  if (view.state === null || own !== claims.number || !isTheirs) return 'FORBIDDEN_CHANNEL'
  if (view.generation > claims.generation) return 'TICKET_MOVED'
  return view.state === 'completed' || view.state === 'expired' ? 'TICKET_ENDED' : null
}

function add(connection: Connection, subscription: Subscription): void {
  connection.subscriptions.set(subscription.channel, subscription)
  connection.pingAt = Math.min(connection.pingAt, Date.now() + Math.random() * subscription.pingMs)
}

function pingMsOf(room: Room): number {
  const absentMs = room.settings.heartbeatTimeoutSeconds * 1_000
  return Math.min(PING_MS_MAX, Math.max(PING_MS_MIN, absentMs / PINGS_BEFORE_ABSENT))
}

function refuse(channel: string, code: PushErrorCode): Refused {
  return { channel, code }
}
