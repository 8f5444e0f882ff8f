import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { startServer, waitUntil } from '@seatwise/testbench'
import { expect, it } from 'vitest'

/** More than the kernel keeps for one listener, which is 4,096 by default; a process may have so many files. */
const COMING = Math.min(6_000, Math.floor(1.5 * Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))))

it('[O57] connections that come while the server is busy are not dropped, and each is served', async () => {
  const server = await startServer({ mode: 'embedded' })
  const sockets: Socket[] = []
  try {
    // It accepts none of them until it goes on.
    server.pause()
    let connected = 0
    for (let one = 0; one < COMING; one += 1) {
      const socket = connect({ host: '127.0.0.1', port: server.port })
      sockets.push(socket.once('connect', () => connected++))
    }
    await waitUntil('all are connected', () => connected === COMING)
    server.resume()
    const answered = sockets.map(async (socket) => {
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
      const answer = await new Promise((resolve) => socket.once('data', resolve))
      return String(answer).slice(0, 15)
    })
    expect(new Set(await Promise.all(answered))).toEqual(new Set(['HTTP/1.1 200 OK']))
  } finally {
    server.resume()
    for (const socket of sockets) socket.destroy()
    await server.discard()
  }
})
