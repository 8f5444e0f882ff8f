/** One whole HTTP answer. */
export interface HttpAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

const NOTHING = Buffer.alloc(0)
const HEAD_END = Buffer.from('\r\n\r\n')
/** Answers of ours are a few kilobytes; only a seat map is large, and no visitor of a rehearsal reads one. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024

/**
 * Cuts what one connection receives into answers. It knows the two ways in which HTTP/1.1 says how long a body is, and
 * costs a tenth of Node's own client, because the driver shares the machine with what it measures.
 */
export class AnswerReader {
  #unread: Buffer = NOTHING

  /** Adds what arrived; returns the answer as soon as it is whole. */
  read(chunk: Buffer): HttpAnswer | null {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    if (this.#unread.length > ANSWER_BYTES_MAX) throw new Error('An answer is longer than any of Seatwise')
    const headEnd = this.#unread.indexOf(HEAD_END)
    if (headEnd < 0) return null
    const head = this.#unread.toString('latin1', 0, headEnd)
    const body = this.#body(head, headEnd + HEAD_END.length)
    if (body === null) return null
    return { status: Number(head.slice(9, 12)), head, body }
  }

  /** The body, when all of it has come; then the reader is ready for the next answer. */
  #body(head: string, start: number): string | null {
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) return this.#chunks(start)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#unread.length < start + length) return null
    const body = this.#unread.toString('utf8', start, start + length)
    this.#keep(start + length)
    return body
  }

  /** What comes after an answer is the beginning of the next; mostly nothing, and then the piece it came in can go. */
  #keep(from: number): void {
    this.#unread = from === this.#unread.length ? NOTHING : this.#unread.subarray(from)
  }

  #chunks(start: number): string | null {
    const pieces: Buffer[] = []
    let at = start
    for (;;) {
      const sizeEnd = this.#unread.indexOf('\r\n', at)
      if (sizeEnd < 0) return null
      const size = Number.parseInt(this.#unread.toString('latin1', at, sizeEnd), 16)
      if (Number.isNaN(size)) throw new Error('An answer in pieces does not say how long the next piece is')
      const end = sizeEnd + 2 + size + 2
      if (this.#unread.length < end) return null
      if (size === 0) {
        this.#keep(end)
        return Buffer.concat(pieces).toString('utf8')
      }
      pieces.push(this.#unread.subarray(sizeEnd + 2, sizeEnd + 2 + size))
      at = end
    }
  }
}

/** What the server asks to wait for; null when it does not. */
export function retryAfterMs(head: string): number | null {
  const seconds = /\r\nretry-after: *(\d+)/i.exec(head)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1_000
}
