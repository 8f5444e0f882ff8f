import { isUuid } from '../kit/index.ts'

/** What a channel's name says: of which room, by which of its addresses, and whose. */
export interface ChannelName {
  /** `event:{id}` or `room:{id}`: with it begin the names of all channels of the room. */
  readonly address: string
  readonly kind: 'event' | 'room'
  readonly id: string
  /** Null: the public channel. */
  readonly ticketId: string | null
}

const PATTERN = /^(event|room):([0-9a-f-]{36}):(?:public|private:(tkt_[0-9a-z]{9,18}))$/

/** Null for whatever is not the name of a channel. */
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
