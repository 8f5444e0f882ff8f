import { createHook } from 'node:async_hooks'

interface OpenSocket {
  readonly handle: WeakRef<object>
  readonly stack: string
}

interface Address {
  port?: number
}

/** What Node has of a connection below `Socket`, which may have let go of it. */
interface ConnectionHandle {
  hasRef(): boolean
  getsockname(into: Address): unknown
  getpeername(into: Address): unknown
}

const open = new Map<number, OpenSocket>()
let isRemembering = false

/** From now on every connection is remembered until it is closed. Promises are left alone, which makes it cheap. */
export function rememberSockets(): void {
  // Test files that share a process call it one after the other.
  if (isRemembering) return
  isRemembering = true
  createHook({
    trackPromises: false,
    init(id, type, _, handle) {
      if (type === 'TCPWRAP') open.set(id, { handle: new WeakRef(handle), stack: new Error('opened').stack ?? '' })
    },
    destroy: (id) => void open.delete(id),
  }).enable()
}

/** One line for each connection that keeps this process alive: its two ends, and who opened it. */
export function describeSockets(): string[] {
  return [...open.values()].flatMap(({ handle, stack }) => {
    const connection = handle.deref()
    if (connection === undefined || !isConnection(connection) || !connection.hasRef()) return []
    const [own, peer]: [Address, Address] = [{}, {}]
    connection.getsockname(own)
    connection.getpeername(peer)
    return `from port ${own.port ?? 'none'} to port ${peer.port ?? 'none'}, ${openerIn(stack)}`
  })
}

/** Where in our files and libraries it was opened; accepted ones come from nowhere, and their own port tells the owner. */
function openerIn(stack: string): string {
  const frames = stack
    .split('\n')
    .slice(1)
    .filter((frame) => !/node:|open-sockets/.test(frame))
    .map((frame) => frame.trim())
  return frames.length === 0
    ? 'accepted by a server of this process'
    : `opened ${frames.slice(0, FRAMES_MAX).join(' ')}`
}

const FRAMES_MAX = 6

function isConnection(handle: object): handle is ConnectionHandle {
  return 'hasRef' in handle && 'getsockname' in handle && 'getpeername' in handle
}
