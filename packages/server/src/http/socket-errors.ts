import type { Socket } from 'node:net'
import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import { describeError } from './errors.ts'

const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/**
 * Answers what never became a request: bytes that are not HTTP, headers too large, a client that is too slow.
 * The same format as every other error, and then the connection ends, because nobody knows where the next request begins.
 */
export function answerSocketError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = describeError(new SeatwiseError(CODES[error.code ?? ''] ?? 'BAD_REQUEST'))
  const body = JSON.stringify(answer)
  const head = [
    `HTTP/1.1 ${answer.statusCode} ${answer.error}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
