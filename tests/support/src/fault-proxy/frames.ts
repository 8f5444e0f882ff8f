/** A piece of a conversation that is forwarded as a whole. */
export interface Frame {
  readonly bytes: Buffer
  /** True for the last frame of a request or of a reply. Replies come in the order of their requests. */
  readonly ends: boolean
  /** What a request says, for tests that aim at one: the words of a Redis command, the text of an SQL statement. */
  readonly text: string
}

/** Cuts the bytes of one direction into frames; what is incomplete waits for more. */
export type FrameReader = (chunk: Buffer) => Frame[]

/** The two directions of one connection. They may share state. */
export interface Conversation {
  readonly requests: FrameReader
  readonly replies: FrameReader
}

/** For protocols we do not understand: every chunk is a frame, and nothing is a request. */
export function opaqueConversation(): Conversation {
  const whole: FrameReader = (bytes) => [{ bytes, ends: false, text: '' }]
  return { requests: whole, replies: whole }
}

/** Collects chunks and takes frames off the front as long as `next` finds a whole one. */
export function frameReader(next: (buffer: Buffer) => Frame | undefined): FrameReader {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    for (let frame = next(rest); frame !== undefined; frame = next(rest)) {
      frames.push(frame)
      rest = rest.subarray(frame.bytes.length)
    }
    return frames
  }
}
