import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Outgoing } from './outgoing.ts'
import type { Wire, WireEvents } from './wire.ts'

/** Incoming frames and messages; outgoing ones are larger. */
const PAYLOAD_BYTES_MAX = 16 * 1024
/** No client of ours sends fragments. Each costs us far more than it costs the sender. */
const FRAGMENTS_MAX = 16
const CHUNKS_MAX = 64
/** How long a client may take to close, too. */
const CLOSE_MS = 2_000

const OPTIONS = {
  noServer: true,
  clientTracking: false,
  // Compressing for each of thousands costs more than the bytes are worth.
  perMessageDeflate: false,
  maxPayload: PAYLOAD_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  maxBufferedChunks: CHUNKS_MAX,
  closeTimeout: CLOSE_MS,
} satisfies ServerOptions & { maxFragments: number; maxBufferedChunks: number; closeTimeout: number }

/** Turns requests into WebSockets. */
export class WebSocketDoor {
  readonly #server = new WebSocketServer(OPTIONS)

  open(request: IncomingMessage, socket: Duplex, head: Buffer, connect: (wire: Wire) => WireEvents): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const events = connect(new WebSocketWire(webSocket, socket))
      webSocket.on('message', (data, isBinary) => events.onMessage(isBinary ? '' : String(data)))
      webSocket.on('pong', events.onAlive)
      webSocket.on('close', events.onGone)
      // The error is the client's; `close` follows.
      webSocket.on('error', () => undefined)
    })
  }
}

class WebSocketWire implements Wire {
  readonly transport = 'websocket'
  readonly #webSocket: WebSocket
  readonly #socket: Duplex

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket
    this.#socket = socket
  }

  get buffered(): number {
    return this.#socket.writableLength
  }

  /**
   * Writes whole frames past the library, which would build the same frame for each of thousands. The library writes
   * its own frames (pongs and closes) whole as well, so that the two never mix.
   */
  write(outgoing: Outgoing): void {
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#socket.write(outgoing.frame)
  }

  ping(): void {
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping()
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason)
  }

  destroy(): void {
    this.#webSocket.terminate()
  }
}
