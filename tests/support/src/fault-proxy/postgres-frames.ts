import { type Conversation, type Frame, frameReader } from './frames.ts'

/**
 * The PostgreSQL protocol without encryption. A request ends with Query, FunctionCall or Sync, and its reply with
 * ReadyForQuery. The reply to the start-up, up to the first ReadyForQuery, belongs to no request.
 */
export function postgresConversation(): Conversation {
  let started = false
  let authenticated = false
  let encryptionAsked = false
  /** The statement of the request that is under way. */
  let statement = ''

  const requests = frameReader((buffer) => {
    if (!started) {
      const bytes = take(buffer, 0)
      if (bytes === undefined) return undefined
      const code = bytes.length >= 8 ? bytes.readInt32BE(4) : 0
      encryptionAsked = code === SSL_REQUEST || code === GSS_REQUEST
      started = !encryptionAsked
      return { bytes, ends: false, text: '' }
    }
    const bytes = take(buffer, 1)
    if (bytes === undefined) return undefined
    const type = typeOf(bytes)
    if (type === 'Q') statement = cString(bytes, 5)
    if (type === 'P') statement = cString(bytes, bytes.indexOf(0, 5) + 1)
    const ends = type === 'Q' || type === 'S' || type === 'F'
    const frame: Frame = { bytes, ends, text: ends ? statement : '' }
    if (ends) statement = ''
    return frame
  })

  const replies = frameReader((buffer) => {
    if (encryptionAsked && buffer.length > 0) {
      // The server answers the question for encryption with a single letter.
      encryptionAsked = false
      return { bytes: buffer.subarray(0, 1), ends: false, text: '' }
    }
    const bytes = take(buffer, 1)
    if (bytes === undefined) return undefined
    const isReady = typeOf(bytes) === 'Z'
    const ends = isReady && authenticated
    authenticated ||= isReady
    return { bytes, ends, text: '' }
  })

  return { requests, replies }
}

const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104

/** One message with a length field after `prefix` bytes that counts itself. */
function take(buffer: Buffer, prefix: number): Buffer | undefined {
  if (buffer.length < prefix + 4) return undefined
  const length = prefix + buffer.readInt32BE(prefix)
  return buffer.length < length ? undefined : buffer.subarray(0, length)
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0)
}

function cString(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start))
}
