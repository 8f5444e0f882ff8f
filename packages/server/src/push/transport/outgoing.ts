import type { PushMessage, PushPosition } from '@seatwise/domain'

const TEXT = 0x81
const SHORT_MAX = 125
const MEDIUM_MAX = 0xffff

/**
 * An outgoing message: serialised once, and encoded for each transport at most once, however many connections it is
 * written to.
 */
export class Outgoing {
  readonly type: PushMessage['type']
  /** Null for a message about the connection only. */
  readonly position: PushPosition | null
  readonly #json: string
  #frame: Buffer | null = null
  #event: Buffer | null = null

  constructor(message: PushMessage) {
    this.type = message.type
    this.position = 'seq' in message ? { epoch: message.epoch, seq: message.seq } : null
    this.#json = JSON.stringify(message)
  }

  /** A whole WebSocket frame, ready to be written. */
  get frame(): Buffer {
    this.#frame ??= textFrame(this.#json)
    return this.#frame
  }

  /** A Server-Sent Event. A browser sends its id back when it reconnects. */
  get event(): Buffer {
    const id = this.position === null ? '' : `id: ${this.position.epoch}-${this.position.seq}\n`
    this.#event ??= Buffer.from(`${id}data: ${this.#json}\n\n`)
    return this.#event
  }
}

/** An unmasked, unfragmented text frame, as servers send them (RFC 6455, 5.2). */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headBytes = length <= SHORT_MAX ? 2 : length <= MEDIUM_MAX ? 4 : 10
  const frame = Buffer.allocUnsafeSlow(headBytes + length)
  frame[0] = TEXT
  if (headBytes === 2) frame[1] = length
  else if (headBytes === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, headBytes)
  return frame
}
