import { setTimeout as delay } from 'node:timers/promises'
import type { Cpu, Subject } from './subject.ts'

const IDLE_WINDOW_MS = 200
const IDLE_SECONDS = 0.03
const IDLE_WAIT_MS_MAX = 10_000

/** What was driven, and what it cost. */
export type Timed<Result> = Result & {
  /** Seconds of each process until all are idle again: copying the log to the ledger counts. */
  readonly cpu: Cpu
}

export async function timed<Result>(subject: Pick<Subject, 'cpu'>, run: () => Promise<Result>): Promise<Timed<Result>> {
  await untilIdle(subject)
  const before = subject.cpu()
  const driven = await run()
  await untilIdle(subject)
  const after = subject.cpu()
  const of = (process: keyof Cpu): number => after[process] - before[process]
  return { ...driven, cpu: { server: of('server'), redis: of('redis'), postgres: of('postgres') } }
}

/** A background task that never rests ends the wait after a while. */
async function untilIdle(subject: Pick<Subject, 'cpu'>): Promise<void> {
  const used = (): number => Object.values(subject.cpu()).reduce((sum, seconds) => sum + seconds, 0)
  const end = performance.now() + IDLE_WAIT_MS_MAX
  for (let before = used(); performance.now() < end; ) {
    await delay(IDLE_WINDOW_MS)
    const now = used()
    if (now - before <= IDLE_SECONDS) return
    before = now
  }
}
