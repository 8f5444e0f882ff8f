import { flushCompileCache } from 'node:module'
import type { Config } from '../../config/index.ts'
import type { Measured, Siblings } from '../../http/index.ts'
import { withDeadline } from '../../kit/index.ts'
import { serve } from '../serve.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Longer than the supervisor collects. */
const TOTAL_MS_MAX = 3_000

/** Serves as one of several workers on a port, until the supervisor says stop or is gone. */
export async function work(config: Config, { number, port }: { number: number; port: number }): Promise<void> {
  if (!process.connected) throw new Error('A worker is started by its supervisor: run "seatwise serve"')
  // One Ctrl-C reaches all processes of a terminal. The supervisor alone decides who stops when.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const supervisor = new SupervisorLink()
  try {
    // The supervisor waits for load balancers, once for all.
    const server = await serve({ ...config, port, drainSeconds: 0 }, { number, siblings: supervisor })
    process.on('uncaughtException', (error) => {
      server.reportCrash(error)
      process.exit(1)
    })
    supervisor.onMeasure = server.measure
    supervisor.onAnnounceStop = server.announceStop
    const { url, places, notices } = server
    supervisor.say({ kind: 'serving', introduction: { url, places, notices } })
    // The process that replaces this one starts twice as fast.
    flushCompileCache()
    await supervisor.stopped
    await server.stop()
  } finally {
    // The channel would keep the process alive.
    if (process.connected) process.disconnect?.()
  }
}

/** A worker's side of the channel to its supervisor. */
class SupervisorLink implements Siblings {
  /** Also when the supervisor is gone, and no process replaces or stops this one. */
  readonly stopped: Promise<void>
  onMeasure: () => Promise<readonly Measured[]> = async () => []
  onAnnounceStop: () => void = () => undefined
  readonly #totals = new Map<number, (text: string) => void>()
  #questions = 0
  #isComplete = false

  constructor() {
    const stopped = Promise.withResolvers<void>()
    this.stopped = stopped.promise
    process.on('disconnect', () => stopped.resolve())
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'stop') stopped.resolve()
      else this.#hear(message)
    })
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  async metrics(): Promise<string> {
    const id = ++this.#questions
    const answer = new Promise<string>((resolve) => this.#totals.set(id, resolve))
    this.say({ kind: 'wantTotal', id })
    try {
      return await withDeadline(answer, TOTAL_MS_MAX, 'The sum of the metrics')
    } finally {
      this.#totals.delete(id)
    }
  }

  say(message: FromWorker): void {
    // The supervisor may be gone: then `stopped` says so.
    if (process.connected) process.send?.(message, () => undefined)
  }

  #hear(message: Exclude<ToWorker, { kind: 'stop' }>): void {
    if (message.kind === 'team') this.#isComplete = message.serving === message.wanted
    else if (message.kind === 'announceStop') this.onAnnounceStop()
    else if (message.kind === 'total') this.#totals.get(message.id)?.(message.text)
    else void this.onMeasure().then((metrics) => this.say({ kind: 'measured', id: message.id, metrics }))
  }
}
