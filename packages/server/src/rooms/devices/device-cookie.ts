import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import { addCookie, readCookie } from '../../http/index.ts'
import { deriveKeys, Mac } from '../../identity/index.ts'

/** A browser, and the tickets that guests drew on it. */
export interface Device {
  readonly id: string
  /** Newest first. */
  readonly tickets: readonly DeviceTicket[]
}

export interface DeviceTicket {
  readonly roomId: string
  readonly number: number
}

/** Reads and signs what a device tells of itself. A cookie that was altered counts as none. Rule R117. */
export interface Devices {
  read(config: Config, request: FastifyRequest): Device | null
  /** Adds a ticket that a guest has just drawn, and gives a new device its id. */
  keep(config: Config, call: Call, drawn: DeviceTicket): void
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const COOKIE = 'seatwise-device'
const ID_BYTES = 12
/** As long as tickets may be interesting. */
const COOKIE_SECONDS = 90 * 24 * 60 * 60
/** With 45 bytes each they take a fifth of what headers may have. */
const TICKETS_MAX = 32

export function createDevices(secrets: readonly Buffer[]): Devices {
  const macs = deriveKeys(secrets, 'device').map(({ key }) => new Mac(key))
  const [newest] = macs
  if (newest === undefined) throw new Error('A device needs a secret.')

  function read(config: Config, request: FastifyRequest): Device | null {
    const value = readCookie(config, request, COOKIE)
    const [, text = '', id = '', list = '', mac = ''] =
      /^(([\w-]{16})\.((?:[0-9a-f-]{36}_\d{1,15}~?){1,32}))\.([\w-]{43})$/.exec(value ?? '') ?? []
    if (id === '' || !macs.some((key) => isSame(key.of(text, 'base64url'), mac))) return null
    return { id, tickets: list.split('~').map(readTicket) }
  }

  return {
    read,
    keep(config, call, drawn) {
      const { id, tickets } = read(config, call.request) ?? {
        id: randomBytes(ID_BYTES).toString('base64url'),
        tickets: [],
      }
      const list = [drawn, ...tickets].slice(0, TICKETS_MAX).map(({ roomId, number }) => `${roomId}_${number}`)
      const text = `${id}.${list.join('~')}`
      addCookie(config, call, {
        name: COOKIE,
        value: `${text}.${newest.of(text, 'base64url')}`,
        seconds: COOKIE_SECONDS,
      })
    },
  }
}

function readTicket(text: string): DeviceTicket {
  const [roomId = '', number] = text.split('_')
  return { roomId, number: Number(number) }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
