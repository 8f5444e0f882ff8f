import { flushCompileCache } from 'node:module'
import { type RunningServer, readConfig, serve as startServer } from '@seatwise/server'
import { type Command, readOptions } from '../command.ts'

/** Longer than the server allows itself to stop in; after that something hangs, and hanging is worse than ending. */
const STOP_MS_MAX = 20_000
/** One Ctrl-C reaches every process of the terminal, and some of them pass it on: what comes so close is the same. */
const SAME_SIGNAL_MS = 500

export const serve: Command = {
  name: 'serve',
  summary: 'runs the server',
  help: [
    'Runs the server until it is stopped (Ctrl-C, SIGTERM). A second signal ends it at once.',
    '',
    'Environment variables configure it; docs/settings.md explains each. Without any it runs embedded: everything in',
    'this one process, with its data in the folder .seatwise. DATABASE_URL and REDIS_URL put it on PostgreSQL and Redis.',
  ].join('\n'),
  async run(args) {
    readOptions(args, {})
    const server = await startServer(readConfig())
    process.on('uncaughtException', (error) => {
      server.reportCrash(error)
      process.exit(1)
    })
    announce(server)
    // Now rather than at the end, which a killed server does not reach: the next start is twice as fast.
    flushCompileCache()
    await stopOnSignal(server)
    return 0
  },
}

function announce(server: RunningServer): void {
  const places = server.places.map(({ name, url }) => `  ${name.padEnd(12)} ${url}`)
  console.log(['', 'Seatwise is running.', '', ...places, '', ...server.notices, 'Ctrl-C stops it.', ''].join('\n'))
}

async function stopOnSignal(server: RunningServer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let firstAtMs: number | undefined
    const stop = (): void => {
      if (firstAtMs !== undefined) {
        if (performance.now() - firstAtMs > SAME_SIGNAL_MS) process.exit(1)
        return
      }
      firstAtMs = performance.now()
      setTimeout(() => process.exit(1), STOP_MS_MAX).unref()
      server.stop().then(resolve, reject)
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
