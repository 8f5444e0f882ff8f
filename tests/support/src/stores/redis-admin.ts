import { connect } from 'node:net'

/**
 * Sends one command to one Redis, cluster node or Sentinel, over a connection that lives no longer. Answers as RESP 2.
 * Without the library: every test file would have to load its 650 files.
 */
export async function redisCommand(port: number, ...words: readonly string[]): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>()
  const socket = connect({ host: '127.0.0.1', port })
  const chunks: Buffer[] = []
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error(`Redis on port ${port} does not answer ${words[0]}`)))
  socket.on('error', answer.reject)
  socket.on('close', () => answer.reject(new Error(`Redis on port ${port} hung up on ${words[0]}`)))
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    const reply = readReply(Buffer.concat(chunks), 0)
    if (reply?.value instanceof Error) answer.reject(reply.value)
    else if (reply !== undefined) answer.resolve(reply.value)
  })
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  socket.write(`*${words.length}\r\n${parts.join('')}`)
  try {
    return await answer.promise
  } finally {
    socket.destroy()
  }
}

const ANSWER_MS_MAX = 10_000

interface Reply {
  readonly value: unknown
  /** Where the next one begins. */
  readonly end: number
}

/** Undefined while not all of it has come. */
function readReply(bytes: Buffer, start: number): Reply | undefined {
  const lineEnd = bytes.indexOf('\r\n', start)
  if (lineEnd === -1) return undefined
  const kind = String.fromCharCode(bytes[start] ?? 0)
  const line = bytes.toString('utf8', start + 1, lineEnd)
  const end = lineEnd + 2
  switch (kind) {
    case '+':
      return { value: line, end }
    case '-':
      return { value: new Error(line), end }
    case ':':
      return { value: Number(line), end }
    case '$':
      return readText(bytes, end, Number(line))
    case '*':
      return readList(bytes, end, Number(line))
    default:
      return { value: new Error(`Redis answered with a kind that RESP 2 does not have: ${kind}`), end }
  }
}

function readText(bytes: Buffer, start: number, length: number): Reply | undefined {
  if (length === -1) return { value: null, end: start }
  const end = start + length + 2
  return bytes.length < end ? undefined : { value: bytes.toString('utf8', start, start + length), end }
}

function readList(bytes: Buffer, start: number, length: number): Reply | undefined {
  if (length === -1) return { value: null, end: start }
  const values: unknown[] = []
  let end = start
  for (let index = 0; index < length; index += 1) {
    const reply = readReply(bytes, end)
    if (reply === undefined) return undefined
    values.push(reply.value)
    end = reply.end
  }
  return { value: values, end }
}
