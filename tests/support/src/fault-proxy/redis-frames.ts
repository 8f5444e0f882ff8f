import { type Conversation, type Frame, frameReader } from './frames.ts'

/** RESP 2 and 3. Every command has one reply; pushes (`>`) answer nothing. Subscriptions over RESP 2 are not counted right. */
export function redisConversation(): Conversation {
  return { requests: frameReader(nextRequest), replies: frameReader(nextReply) }
}

function nextRequest(buffer: Buffer): Frame | undefined {
  const end = valueEnd(buffer, 0)
  if (end === undefined) return undefined
  const bytes = buffer.subarray(0, end)
  return { bytes, ends: true, text: wordsOf(bytes) }
}

function nextReply(buffer: Buffer): Frame | undefined {
  const end = valueEnd(buffer, 0)
  if (end === undefined) return undefined
  const bytes = buffer.subarray(0, end)
  return { bytes, ends: bytes[0] !== PUSH, text: '' }
}

const [BULK, VERBATIM, BLOB_ERROR] = codes('$=!')
const [ARRAY, SET, PUSH] = codes('*~>')
const [MAP, ATTRIBUTE] = codes('%|')

/** Where the value that starts at `start` ends, or undefined when it is not complete. */
function valueEnd(buffer: Buffer, start: number): number | undefined {
  const lineEnd = buffer.indexOf('\r\n', start)
  if (lineEnd === -1) return undefined
  const after = lineEnd + 2
  const size = (): number => Number(buffer.toString('latin1', start + 1, lineEnd))
  switch (buffer[start]) {
    case BULK:
    case VERBATIM:
    case BLOB_ERROR: {
      const end = size() < 0 ? after : after + size() + 2
      return end <= buffer.length ? end : undefined
    }
    case ARRAY:
    case SET:
    case PUSH:
      return valuesEnd(buffer, after, size())
    case MAP:
      return valuesEnd(buffer, after, 2 * size())
    case ATTRIBUTE:
      // It only decorates the value that follows.
      return valuesEnd(buffer, after, 2 * size() + 1)
    default:
      return after
  }
}

function valuesEnd(buffer: Buffer, start: number, count: number): number | undefined {
  let end = start
  for (let index = 0; index < count; index += 1) {
    const next = valueEnd(buffer, end)
    if (next === undefined) return undefined
    end = next
  }
  return end
}

/** The command and its arguments, `SET key value`; each at most 200 characters long. */
function wordsOf(request: Buffer): string {
  if (request[0] !== ARRAY) return request.toString('utf8').trim()
  const words: string[] = []
  let position = request.indexOf('\r\n') + 2
  while (position < request.length) {
    const end = valueEnd(request, position)
    if (end === undefined) break
    const start = request.indexOf('\r\n', position) + 2
    words.push(request.toString('utf8', start, Math.min(end - 2, start + 200)))
    position = end
  }
  return words.join(' ')
}

function codes(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0))
}
