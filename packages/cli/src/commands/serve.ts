import { flushCompileCache } from 'node:module'
import { type RunningServer, readConfig, serve as startServer, startWorkers, work } from '@seatwise/server'
import { type Command, readOptions, UsedWrongly } from '../command.ts'
import { explainFailure } from '../explain-failure.ts'

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
    'this one process, with its data in the folder .seatwise. DATABASE_URL and REDIS_URL put it on PostgreSQL and Redis;',
    'SEATWISE_WORKERS=auto then starts a process for each core, which all share the port.',
  ].join('\n'),
  async run(args) {
    const { 'as-worker': worker } = readOptions(args, { 'as-worker': { type: 'string' } })
    const config = readConfig()
    if (worker !== undefined) {
      await work(config, readPlace(worker))
      return 0
    }
    const server = config.workers > 1 ? await startWorkers(config, { command, onFailure }) : await startServer(config)
    process.on('uncaughtException', (error) => {
      server.reportCrash(error)
      process.exit(1)
    })
    // Before the program says that it runs: from then on a signal must drain it, not end it.
    const stopped = stopOnSignal(server)
    announce(server)
    // Now rather than at the end, which a killed server does not reach: the next start is twice as fast.
    flushCompileCache()
    await stopped
    return 0
  },
}

/** How the supervisor starts a worker: this program once more, with its number and the port. */
function command(worker: number, port: number): { file: string; args: string[] } {
  return { file: process.argv[1] ?? '', args: ['serve', '--as-worker', `${worker}:${port}`] }
}

function readPlace(text: string): { number: number; port: number } {
  const [, number, port] = /^(\d+):(\d+)$/.exec(text) ?? []
  if (number === undefined || port === undefined) throw new UsedWrongly('--as-worker is for the supervisor alone.')
  return { number: Number(number), port: Number(port) }
}

function onFailure(error: Error): void {
  console.error(explainFailure(error))
  process.exit(1)
}

function announce(server: RunningServer): void {
  const places = server.places.map(({ name, url }) => `  ${name.padEnd(12)} ${url}`)
  console.log(['', 'Seatwise is running.', '', ...places, '', ...server.notices, 'Ctrl-C stops it.', ''].join('\n'))
}

function stopOnSignal(server: RunningServer): Promise<void> {
  return new Promise<void>((resolve, reject) => {
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
