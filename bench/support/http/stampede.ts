import { onAnswers, open, requestFor } from './http-socket.ts'

/** So many readers, each with a connection of its own, ask at the same moment. Returns how long the last one waited. */
export async function stampede(url: URL, readers: number): Promise<{ milliseconds: number }> {
  const request = requestFor(url)
  const sockets = []
  // Connecting is not what is measured: it is done before, a few at a time, because a backlog is short.
  while (sockets.length < readers) {
    const more = Math.min(200, readers - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: more }, () => open(url)))))
  }
  const ended = Promise.withResolvers<void>()
  let left = readers
  for (const socket of sockets) {
    socket.on('error', ended.reject)
    onAnswers(socket, (status) => {
      if (status !== 200) ended.reject(new Error(`${url.href} answered ${status}`))
      left -= 1
      if (left === 0) ended.resolve()
    })
  }
  const start = performance.now()
  for (const socket of sockets) socket.write(request)
  try {
    await ended.promise
    return { milliseconds: performance.now() - start }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
