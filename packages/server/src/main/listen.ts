import { once } from 'node:events'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyListenOptions } from 'fastify'
import type { Config } from '../config/index.ts'
import { type App, HTTP_LIMITS } from '../http/index.ts'

/**
 * For each listener the kernel keeps `net.core.somaxconn` connections until they are accepted (4,096 by default) and drops
 * what comes beyond; the client repeats it after 1, 3, 7 and 15 s. Of 70,000 visitors who came in six seconds one listener
 * dropped thousands, which came again late (two cores, November 2026); eight dropped none.
 */
const LISTENERS = 8
/** Several listeners can share a port only where the kernel spreads connections over them. */
const CAN_SHARE = process.platform === 'linux'

/** Stops accepting connections, ends the server, and waits until the last one is closed. */
export type StopListening = () => Promise<void>

/** `isWorker`: other processes of this program listen on the same port. */
export async function listen(app: App, { host, port, mode }: Config, isWorker: boolean): Promise<StopListening> {
  const { backlog } = HTTP_LIMITS
  // Sharing would hide that another program has the port already.
  if (CAN_SHARE && !isWorker && port !== 0) await requireFreePort(host, port)
  // Fastify passes on what its own type does not name.
  const options: FastifyListenOptions & Pick<ListenOptions, 'reusePort'> = {
    ...{ host, port, backlog, reusePort: CAN_SHARE },
    listenTextResolver: (address) => `listening at ${address}, ${mode}`,
  }
  await app.listen(options)
  const listeners: Server[] = []
  for (const { address, port: taken } of CAN_SHARE ? addressesOf(app) : []) {
    for (let count = 1; count < LISTENERS; count += 1) {
      listeners.push(await openListener(app, { host: address, port: taken, backlog, reusePort: true }))
    }
  }
  return async () => {
    await Promise.all([app.close(), ...listeners.map(closed)])
  }
}

/** One more way in: its connections are served as those of Fastify's own listener are, with the same options. */
async function openListener(app: App, options: ListenOptions): Promise<Server> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  )
  listener.listen(options)
  await once(listener, 'listening')
  return listener
}

async function requireFreePort(host: string, port: number): Promise<void> {
  const listener = createServer().listen({ host, port })
  await once(listener, 'listening')
  await closed(listener)
}

/** Resolves when the last of its connections is closed; from the call on it accepts none. */
async function closed(listener: Server): Promise<void> {
  const isClosed = once(listener, 'close')
  listener.close()
  await isClosed
}

/** A server that listens on a port has no address of another kind. */
function addressesOf(app: App): AddressInfo[] {
  return app.addresses().filter((address): address is AddressInfo => typeof address !== 'string')
}
