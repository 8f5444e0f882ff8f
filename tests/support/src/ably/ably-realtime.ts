import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { AblyError, type AblyToken, type AblyTokens, isAllowed, type Operation } from './ably-tokens.ts'

/** https://ably.com/docs/api/realtime-sdk/types: the actions of the protocol that a listener and its server use. */
const HEARTBEAT = 0
const ACK = 1
const NACK = 2
const CONNECTED = 4
const DISCONNECTED = 6
const CLOSE = 7
const CLOSED = 8
const ERROR = 9
const ATTACH = 10
const ATTACHED = 11
const DETACH = 12
const DETACHED = 13
const PRESENCE = 14
const MESSAGE = 15
const SYNC = 16
const AUTH = 17

const HAS_PRESENCE = 1
const RESUMED = 4
/** A channel's modes, as flags, and what each needs. */
const MODES: readonly { readonly flag: number; readonly needs: Operation }[] = [
  { flag: 1 << 16, needs: 'presence' },
  { flag: 1 << 17, needs: 'publish' },
  { flag: 1 << 18, needs: 'subscribe' },
  { flag: 1 << 19, needs: 'subscribe' },
]
const SUBSCRIBE = 1 << 18
const PRESENCE_SUBSCRIBE = 1 << 19
const PRESENT = 1
const LEAVE = 3
/** Ably keeps messages this long for connections that come back. */
const KEPT_MAX = 1_000
const IDLE_MS = 15_000

interface Frame {
  readonly action: number
  readonly channel?: string
  readonly channelSerial?: string
  readonly flags?: number
  readonly msgSerial?: number
  readonly presence?: readonly { readonly action: number; readonly data?: unknown; readonly encoding?: string }[]
  readonly messages?: readonly unknown[]
  readonly auth?: { readonly accessToken?: string }
}

interface Member {
  readonly clientId: string
  readonly connectionId: string
  readonly data: unknown
  /** How the SDK wrote the data as text; the other one reads it accordingly. */
  readonly encoding: string | undefined
  readonly id: string
  readonly timestamp: number
}

interface Kept {
  readonly serial: number
  readonly frame: object
}

class Channel {
  readonly kept: Kept[] = []
  readonly members = new Map<string, Member>()
  serial = 0
}

/** One connection, which may lose its socket and come back with another. */
class Connection {
  readonly id = randomUUID().slice(0, 10)
  readonly key = randomUUID()
  readonly attached = new Map<string, number>()
  token: AblyToken
  socket: WebSocket | null = null

  constructor(token: AblyToken) {
    this.token = token
  }

  send(frame: object): void {
    this.socket?.send(JSON.stringify(frame))
  }
}

/**
 * The part of Ably's realtime protocol that its SDK needs in order to listen: connect, resume, attach, messages, presence
 * and new tokens. It refuses what a token does not allow.
 */
export class AblyRealtime {
  /** Connections are forgotten at once, so that a resumed one has missed messages. */
  isForgetful = false
  readonly denied: string[] = []
  /** Channels that no token opens for the time being. */
  deniedChannels: RegExp | null = null
  /** How often a connection came back and had missed nothing. */
  resumes = 0
  readonly #tokens: AblyTokens
  readonly #connections = new Map<string, Connection>()
  readonly #channels = new Map<string, Channel>()
  readonly #timer: NodeJS.Timeout

  constructor(tokens: AblyTokens) {
    this.#tokens = tokens
    this.#timer = setInterval(() => this.#each((connection) => connection.send({ action: HEARTBEAT })), IDLE_MS / 3)
    this.#timer.unref()
  }

  get connections(): number {
    return this.#open().length
  }

  attached(channel: string): number {
    return this.#open().filter((connection) => connection.attached.has(channel)).length
  }

  members(channel: string): { clientId: string; data: unknown }[] {
    return [...this.#channel(channel).members.values()].map(({ clientId, data }) => ({ clientId, data }))
  }

  open(socket: WebSocket, request: IncomingMessage): void {
    const query = new URL(request.url ?? '', 'http://ably').searchParams
    let connection: Connection
    try {
      if (query.get('format') === 'msgpack') throw new AblyError(40_000, 400, 'only JSON here')
      const token = this.#tokens.read(query.get('access_token') ?? '')
      connection = this.#connectionOf(token, query.get('resume'))
    } catch (error) {
      socket.send(JSON.stringify({ action: ERROR, error: wireOf(error) }))
      socket.close()
      return
    }
    connection.socket = socket
    socket.on('message', (text) => this.#hear(connection, JSON.parse(String(text)) as Frame))
    socket.on('close', () => {
      if (connection.socket === socket) connection.socket = null
    })
    this.#welcome(connection)
  }

  publish(channelName: string, message: { id: string; name: string; data: string }): void {
    const channel = this.#channel(channelName)
    this.#spread(channelName, SUBSCRIBE, {
      ...{ action: MESSAGE, id: message.id, timestamp: Date.now() },
      messages: [{ name: message.name, data: message.data }],
    })
    if (channel.kept.length > KEPT_MAX) channel.kept.shift()
  }

  /** Every socket breaks without a word. */
  drop(): void {
    this.#each(({ socket }) => socket?.terminate())
    if (this.isForgetful) this.#connections.clear()
  }

  /** Says what Ably says when the time of a token is over. */
  expire(): void {
    this.#tokens.expireAll()
    const error = { code: 40_142, statusCode: 401, message: 'token expired' }
    this.#each((connection) => {
      connection.send({ action: DISCONNECTED, error })
      connection.socket?.close()
    })
  }

  /** Asks for a new token, as Ably does half a minute before the old one is over. */
  askForTokens(): void {
    this.#each((connection) => connection.send({ action: AUTH }))
  }

  close(): void {
    clearInterval(this.#timer)
    this.#each(({ socket }) => socket?.terminate())
  }

  #connectionOf(token: AblyToken, resume: string | null): Connection {
    const known = resume === null ? undefined : this.#connections.get(resume)
    if (known !== undefined) {
      known.socket?.terminate()
      known.token = token
      known.attached.clear()
      return known
    }
    const connection = new Connection(token)
    this.#connections.set(connection.key, connection)
    return connection
  }

  #welcome(connection: Connection): void {
    const { id, key, token } = connection
    connection.send({
      ...{ action: CONNECTED, connectionId: id },
      connectionDetails: {
        ...{ clientId: token.clientId, connectionKey: key, maxMessageSize: 65_536, maxInboundRate: 250 },
        ...{ maxFrameSize: 524_288, connectionStateTtl: 120_000, maxIdleInterval: IDLE_MS, serverId: 'stand-in' },
      },
    })
  }

  #hear(connection: Connection, frame: Frame): void {
    const { channel = '' } = frame
    switch (frame.action) {
      case HEARTBEAT:
        connection.send({ action: HEARTBEAT })
        break
      case ATTACH:
        this.#attach(connection, channel, frame)
        break
      case DETACH:
        connection.attached.delete(channel)
        connection.send({ action: DETACHED, channel })
        break
      case PRESENCE:
        this.#enter(connection, channel, frame)
        break
      case AUTH:
        this.#renew(connection, frame.auth?.accessToken ?? '')
        break
      case CLOSE:
        this.#leave(connection)
        break
      default:
        // Above all MESSAGE: visitors publish nothing.
        this.#refuse(connection, frame, channel, 'publish')
    }
  }

  #attach(connection: Connection, name: string, { channelSerial, flags = 0 }: Frame): void {
    const wanted = MODES.filter(({ flag }) => (flags & flag) !== 0)
    const granted = (wanted.length > 0 ? wanted : MODES).filter(({ needs }) => isAllowed(connection.token, name, needs))
    if (granted.length === 0 || this.deniedChannels?.test(name)) {
      this.denied.push(`attach ${name}`)
      const error = { code: 40_160, statusCode: 401, message: 'operation not permitted with provided capability' }
      connection.send({ action: ERROR, channel: name, error })
      return
    }
    const channel = this.#channel(name)
    const modes = granted.reduce((sum, { flag }) => sum | flag, 0)
    connection.attached.set(name, modes)
    const missed = this.#missedBy(channel, channelSerial)
    const hasPresence = channel.members.size > 0 ? HAS_PRESENCE : 0
    if (missed !== null) this.resumes += 1
    connection.send({
      ...{ action: ATTACHED, channel: name, channelSerial: String(channel.serial) },
      flags: modes | hasPresence | (missed === null ? 0 : RESUMED),
    })
    for (const { frame } of missed ?? []) connection.send(frame)
    if (hasPresence === 0 || (modes & PRESENCE_SUBSCRIBE) === 0) return
    const presence = [...channel.members.values()].map((member) => ({ action: PRESENT, ...member }))
    connection.send({ action: SYNC, channel: name, channelSerial: `${randomUUID()}:`, presence })
  }

  /** Null when it cannot be told what a listener missed, or when it is new. */
  #missedBy(channel: Channel, serial: string | undefined): Kept[] | null {
    if (serial === undefined || this.isForgetful) return null
    return channel.kept.filter((kept) => kept.serial > Number(serial))
  }

  #enter(connection: Connection, name: string, { presence = [], msgSerial = 0 }: Frame): void {
    const { token, id } = connection
    if (token.clientId === null || !isAllowed(token, name, 'presence')) {
      this.#refuse(connection, { action: PRESENCE, msgSerial }, name, 'presence')
      return
    }
    connection.send({ action: ACK, msgSerial, count: 1 })
    const common = { clientId: token.clientId, connectionId: id, id: `${id}:${msgSerial}:0`, timestamp: Date.now() }
    for (const { action, data, encoding } of presence) this.#tellPresence(name, action, { ...common, data, encoding })
  }

  #tellPresence(name: string, action: number, member: Member): void {
    const { members } = this.#channel(name)
    const key = `${member.connectionId} ${member.clientId}`
    if (action === LEAVE) members.delete(key)
    else members.set(key, member)
    this.#spread(name, PRESENCE_SUBSCRIBE, { action: PRESENCE, presence: [{ action, ...member }] })
  }

  #renew(connection: Connection, accessToken: string): void {
    try {
      connection.token = this.#tokens.read(accessToken)
      this.#welcome(connection)
    } catch (error) {
      connection.send({ action: ERROR, error: wireOf(error) })
    }
  }

  #leave(connection: Connection): void {
    connection.send({ action: CLOSED })
    connection.socket?.close()
    this.#connections.delete(connection.key)
    for (const [name, { members }] of this.#channels) {
      for (const member of members.values()) {
        if (member.connectionId !== connection.id) continue
        // Not said by the connection itself: then listeners compare times, not ids.
        const left = { ...member, id: `synthesized:${randomUUID()}`, timestamp: Date.now() + 1 }
        this.#tellPresence(name, LEAVE, left)
      }
    }
  }

  #refuse(connection: Connection, { msgSerial = 0 }: Frame, channel: string, operation: Operation): void {
    this.denied.push(`${operation} ${channel}`)
    const error = { code: 40_160, statusCode: 401, message: `${operation} is not in the capability` }
    connection.send({ action: NACK, msgSerial, count: 1, error })
  }

  #spread(name: string, mode: number, frame: object): void {
    const channel = this.#channel(name)
    channel.serial += 1
    const whole = { ...frame, channel: name, channelSerial: String(channel.serial) }
    if (mode === SUBSCRIBE) channel.kept.push({ serial: channel.serial, frame: whole })
    for (const connection of this.#open()) {
      if (((connection.attached.get(name) ?? 0) & mode) !== 0) connection.send(whole)
    }
  }

  #channel(name: string): Channel {
    const channel = this.#channels.get(name) ?? new Channel()
    this.#channels.set(name, channel)
    return channel
  }

  #open(): Connection[] {
    return [...this.#connections.values()].filter(({ socket }) => socket !== null)
  }

  #each(act: (connection: Connection) => void): void {
    for (const connection of this.#open()) act(connection)
  }
}

function wireOf(error: unknown): object {
  return error instanceof AblyError ? error.wire : new AblyError(50_000, 500, String(error)).wire
}
