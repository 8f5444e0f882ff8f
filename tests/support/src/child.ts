import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a child process ended. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A process that the bench started and answers for: it is ended by its pid, never by its name. */
export interface Child {
  readonly name: string
  readonly pid: number
  readonly exited: Promise<Exit>
  isRunning(): boolean
  /** The last part of what it printed, both streams together. */
  output(): string
  /** Asks it to end, and makes it end when it does not do so in time. */
  stop(signal?: NodeJS.Signals): Promise<Exit>
  /** kill -9. */
  kill(): Promise<Exit>
  /** SIGSTOP: the process keeps its connections and answers no request. */
  pause(): void
  /** SIGCONT. */
  resume(): void
}

export interface ChildOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  user?: { uid: number; gid: number } | undefined
}

/** A polite request to stop turns into kill -9 after this time. */
const STOP_GRACE_MS = 10_000
const OUTPUT_KEPT_CHARACTERS = 200_000

const running = new Set<Child>()
let recordFolder: string | undefined

/** Starts a process and registers it, so that one that is left behind is noticed. */
export async function startChild(
  name: string,
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<Child> {
  const process_ = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.user,
  })
  await once(process_, 'spawn')
  if (process_.pid === undefined) throw new Error(`${name} has no pid although it was started`)

  const child = watch(name, process_.pid, process_)
  const record = recordFolder === undefined ? undefined : join(recordFolder, String(child.pid))
  running.add(child)
  if (record !== undefined) writeFileSync(record, name)
  void child.exited.then(() => {
    running.delete(child)
    if (record !== undefined) rmSync(record, { force: true })
  })
  return child
}

/** The children of this process that still run. */
export function runningChildren(): readonly Child[] {
  return [...running]
}

/** From now on every child is also written down in this folder, which outlives this process. */
export function recordChildrenIn(folder: string): void {
  recordFolder = folder
}

// A parent that forgets a child, or dies of an exception, ends the child too.
process.on('exit', () => {
  for (const child of running) signalProcess(child.pid, 'SIGKILL')
})

function watch(name: string, pid: number, handle: ChildProcess): Child {
  let output = ''
  const keep = (text: string): void => {
    output = (output + text).slice(-OUTPUT_KEPT_CHARACTERS)
  }
  handle.stdout?.setEncoding('utf8').on('data', keep)
  handle.stderr?.setEncoding('utf8').on('data', keep)

  let ended = false
  const exited = new Promise<Exit>((resolve) => {
    handle.once('close', (code, signal) => {
      ended = true
      resolve({ code, signal })
    })
  })

  const send = (signal: NodeJS.Signals): void => {
    if (!ended) signalProcess(pid, signal)
  }

  return {
    name,
    pid,
    exited,
    isRunning: () => !ended,
    output: () => output,
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    kill() {
      send('SIGKILL')
      return exited
    },
    async stop(signal = 'SIGTERM') {
      send(signal)
      // A paused process would never see the request.
      send('SIGCONT')
      const impatience = setTimeout(() => send('SIGKILL'), STOP_GRACE_MS)
      const exit = await exited
      clearTimeout(impatience)
      return exit
    },
  }
}

/** Sends a signal; a process that is gone already is what the sender wanted. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
