import type { Socket } from 'node:net'

/**
 * Breaks a connection with a TCP reset, whatever it is doing. Node alone would not: while the end of a socket is on its way
 * to the kernel, `resetAndDestroy` fails there (EINVAL), and the socket is neither closed nor can it be reached any more.
 */
export function resetSocket(socket: Socket): void {
  const isEnding = socket.writableEnded && socket.writableLength === 0 && !socket.writableFinished
  // Before the first answer there is nothing to break.
  if (socket.connecting) socket.destroy()
  else if (isEnding) socket.once('finish', () => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}
