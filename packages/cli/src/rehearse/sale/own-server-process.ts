import { readConfig, serve } from '@seatwise/server'
import { explainFailure } from '../../explain-failure.ts'
import type { ServerNews, ServerSettings } from './own-server.ts'

/*
 * The server of a rehearsal, as a process of its own: it is told its settings by the rehearsal and not by the
 * environment, tells what it occupies each second, and stops when the rehearsal is gone.
 */

const MEMORY_MS = 1_000

const tell = (news: ServerNews): void => {
  if (process.connected) process.send?.(news)
}

// A Ctrl-C reaches this process, too; the rehearsal decides when it ends.
process.on('SIGINT', () => undefined)
process.once('message', ({ settings }: ServerSettings) => {
  serve(readConfig(settings)).then(
    (server) => {
      tell({ kind: 'ready', url: server.url })
      setInterval(() => tell({ kind: 'memory', residentBytes: process.memoryUsage.rss() }), MEMORY_MS)
      process.once('disconnect', () => {
        server.stop().then(
          () => process.exit(0),
          () => process.exit(1),
        )
      })
    },
    (error: unknown) => {
      tell({ kind: 'failed', reason: explainFailure(error) })
      process.exitCode = 1
      process.disconnect?.()
    },
  )
})
