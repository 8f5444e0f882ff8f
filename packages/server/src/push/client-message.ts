import type { ClientMessage, PushPosition, Subscribe } from '@seatwise/domain'

/** The most channels one connection can listen to. */
export const CHANNELS_MAX = 16
const TOKEN_LENGTH_MAX = 512
const CHANNEL_LENGTH_MAX = 128

/** Null for text that is not a message of our protocol. */
export function parseClientMessage(text: string): ClientMessage | null {
  const message = parseObject(text)
  if (message === null) return null
  switch (message.type) {
    case 'ping':
      return { type: 'ping' }
    case 'unsubscribe': {
      const channels = textList(message.channels, CHANNEL_LENGTH_MAX)
      return channels === null ? null : { type: 'unsubscribe', channels }
    }
    case 'subscribe':
      return parseSubscribe(message)
    default:
      return null
  }
}

function parseSubscribe(message: Readonly<Record<string, unknown>>): Subscribe | null {
  const { ticketToken, since, seats, presence } = message
  const channels = textList(message.channels, CHANNEL_LENGTH_MAX)
  const without = message.without === undefined ? [] : textList(message.without, CHANNEL_LENGTH_MAX)
  const position = since === undefined ? null : parsePosition(since)
  const isWellFormed =
    isOptional(ticketToken, (value) => typeof value === 'string' && value.length <= TOKEN_LENGTH_MAX) &&
    isOptional(seats, isCount) &&
    isOptional(presence, (value) => typeof value === 'boolean')
  if (channels === null || without === null || !isWellFormed || (since !== undefined && position === null)) return null
  return {
    type: 'subscribe',
    channels,
    // A type that we do not have is one that we never send.
    without: without as NonNullable<Subscribe['without']>,
    ...(typeof ticketToken === 'string' ? { ticketToken } : {}),
    ...(position === null ? {} : { since: position }),
    ...(typeof seats === 'number' ? { seats } : {}),
    ...(typeof presence === 'boolean' ? { presence } : {}),
  }
}

function parsePosition(value: unknown): PushPosition | null {
  if (!isObject(value)) return null
  const { epoch, seq } = value
  return isCount(epoch) && isCount(seq) ? { epoch, seq } : null
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function textList(value: unknown, lengthMax: number): readonly string[] | null {
  if (!Array.isArray(value) || value.length > CHANNELS_MAX) return null
  const texts = value.filter((item): item is string => typeof item === 'string' && item.length <= lengthMax)
  return texts.length === value.length ? texts : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isOptional(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value === undefined || isRight(value)
}
