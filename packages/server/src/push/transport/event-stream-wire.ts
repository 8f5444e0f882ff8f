import type { ServerResponse } from 'node:http'
import type { Outgoing } from './outgoing.ts'
import type { Wire, WireEvents } from './wire.ts'

const PING = Buffer.from(': ping\n\n')
/** How long pending bytes may take to go out when the stream ends. */
const CLOSE_MS = 2_000

export const EVENT_STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Some proxies buffer an answer before they pass it on.
  'x-accel-buffering': 'no',
})

/** Starts a stream of events as the answer to a request. Its headers were sent already. */
export function openEventStream(response: ServerResponse, connect: (wire: Wire) => WireEvents): void {
  const wire = new EventStreamWire(response, () => events.onAlive())
  const events = connect(wire)
  response.once('close', events.onGone)
  response.on('error', () => undefined)
}

class EventStreamWire implements Wire {
  readonly transport = 'sse'
  readonly #response: ServerResponse
  readonly #onAlive: () => void

  constructor(response: ServerResponse, onAlive: () => void) {
    this.#response = response
    this.#onAlive = onAlive
  }

  get buffered(): number {
    return this.#response.writableLength
  }

  write(outgoing: Outgoing): void {
    if (!this.#response.writableEnded) this.#response.write(outgoing.event)
  }

  /** A client cannot answer on a stream of events; that the bytes went out is all that can be known. */
  ping(): void {
    if (!this.#response.writableEnded) this.#response.write(PING, (error) => (error ? undefined : this.#onAlive()))
  }

  close(): void {
    this.#response.end()
    setTimeout(() => this.#response.destroy(), CLOSE_MS).unref()
  }

  destroy(): void {
    this.#response.destroy()
  }
}
