import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/*
 * What the library does without us: holds sockets, and sends the body of every POST to all of them. Run by
 * `measure-push.ts`; prints its port.
 */

const sockets = new Set<WebSocket>()
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += String(chunk)
  })
  request.on('end', () => {
    for (const socket of sockets) socket.send(text)
    response.end()
  })
})
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => sockets.add(socket))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
