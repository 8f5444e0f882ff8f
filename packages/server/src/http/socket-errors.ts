import type { Socket } from 'node:net'
import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import { describeError } from './errors.ts'

const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/**
 * Answers input that never became a request: bytes that are not HTTP, oversized headers, a client that is too slow. The
 * error has the usual format. The connection then closes, because the server cannot tell where the next request begins.
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
