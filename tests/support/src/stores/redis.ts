import { connect } from 'node:net'
import { type Child, startChild } from '../child.ts'
import { findBinary, freePort, removeFolder, temporaryFolder } from '../machine.ts'
import { waitForStart } from '../wait-for-start.ts'

export interface RedisOptions {
  port?: number
  /** Keeps every write over kill -9 (append-only file, synced always). */
  durable?: boolean
  /** Further `redis-server` arguments, such as `['--maxmemory', '64mb']`. */
  args?: readonly string[]
}

export interface Redis {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly pid: number
  output(): string
  stop(): Promise<void>
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** Starts it again on the same port after `stop` or `kill`, with the data it had on disk or with none. */
  restart(data: 'kept' | 'empty'): Promise<void>
  /** Stops it if it runs, and removes its folder. */
  discard(): Promise<void>
}

/** Starts a private `redis-server` on a free port in a folder of its own. */
export async function startRedis(options: RedisOptions = {}): Promise<Redis> {
  const binary = findBinary('redis-server', 'redis-server 7 or newer (Debian: apt-get install redis-server)')
  const port = options.port ?? (await freePort())
  let folder = await temporaryFolder()
  let child = await launch(binary, port, folder, options)

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get folder() {
      return folder
    },
    get pid() {
      return child.pid
    },
    output: () => child.output(),
    pause: () => child.pause(),
    resume: () => child.resume(),
    async stop() {
      await child.stop()
    },
    async kill() {
      await child.kill()
    },
    async restart(data) {
      await child.kill()
      if (data === 'empty') {
        await removeFolder(folder)
        folder = await temporaryFolder()
      }
      child = await launch(binary, port, folder, options)
    },
    async discard() {
      await child.kill()
      await removeFolder(folder)
    },
  }
}

async function launch(binary: string, port: number, folder: string, options: RedisOptions): Promise<Child> {
  const persistence =
    options.durable === true ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']
  const child = await startChild(`redis-server:${port}`, binary, [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--daemonize', 'no'],
    ...persistence,
    ...(options.args ?? []),
  ])
  await waitForStart(child, () => answersPing(port))
  return child
}

/** True when a Redis on this port answers PING; false while it loads its data. */
export async function answersPing(port: number): Promise<boolean> {
  const answer = Promise.withResolvers<boolean>()
  const socket = connect({ host: '127.0.0.1', port })
  socket.setTimeout(1_000, () => socket.destroy(new Error(`No answer to PING on port ${port}`)))
  socket.once('error', answer.reject)
  socket.once('data', (data) => answer.resolve(data.toString().startsWith('+PONG')))
  socket.write('PING\r\n')
  try {
    return await answer.promise
  } finally {
    socket.destroy()
  }
}
