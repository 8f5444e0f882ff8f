import { isUuid } from '../kit/index.ts'

/** The parts of a channel's name: the room, by which of its addresses, and the ticket. */
export interface ChannelName {
  /** `event:{id}` or `room:{id}`: the names of all channels of the room begin with it. */
  readonly address: string
  readonly kind: 'event' | 'room'
  readonly id: string
  /** Null: the public channel. */
  readonly ticketId: string | null
}

const PATTERN = /^(event|room):([0-9a-f-]{36}):(?:public|private:(tkt_[0-9a-z]{9,18}))$/

/** Null for text that is not a channel name. */
export function parseChannelName(text: string): ChannelName | null {
  const [, kind, id, ticketId] = PATTERN.exec(text) ?? []
  if ((kind !== 'event' && kind !== 'room') || id === undefined || !isUuid(id)) return null
  return { address: `${kind}:${id}`, kind, id, ticketId: ticketId ?? null }
}

export function publicChannel(address: string): string {
  return `${address}:public`
}

export function privateChannel(address: string, ticketId: string): string {
  return `${address}:private:${ticketId}`
}
