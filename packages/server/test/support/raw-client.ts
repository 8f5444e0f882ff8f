import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends exactly the bytes it is told to, for clients that do not behave. */
export interface RawClient {
  readonly socket: Socket
  send(bytes: string | Buffer): void
  /** All that was answered, once the server has closed the connection. */
  readonly answered: Promise<string>
}

export async function openRawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A reset after the answer is the server's right; what counts is what was read before.
  socket.on('error', () => socket.destroy())
  const closed = Promise.withResolvers<void>()
  socket.once('close', () => closed.resolve())
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    answered: closed.promise.then(() => Buffer.concat(chunks).toString('utf8')),
  }
}

/** The status and the body of an answer as it stands on the wire. */
export function readAnswer(text: string): { statusCode: number; head: string; body: string } {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  return { statusCode: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body }
}
