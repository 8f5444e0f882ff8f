import { type ChildProcess, fork } from 'node:child_process'
import type { FromCrowd, Listener, ToCrowd } from './push-crowd.ts'

/** Thousands of WebSockets in a process of their own. */
export class PushListeners {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(`${import.meta.dirname}/push-crowd.ts`, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  }

  async open(url: string, path: string, listeners: readonly Listener[]): Promise<void> {
    await this.#ask({ do: 'open', port: Number(new URL(url).port), path, listeners })
  }

  /** When the last of so many messages came, on the clock of `performance.timeOrigin + performance.now()`. */
  async hear(type: string, count: number): Promise<number> {
    const answer = await this.#ask({ do: 'await', type, count })
    return 'at' in answer ? answer.at : 0
  }

  close(): void {
    this.#child.kill('SIGKILL')
  }

  #ask(message: ToCrowd): Promise<FromCrowd> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`The listeners ended with ${code}`))
      this.#child.once('exit', ended)
      this.#child.once('message', (answer: FromCrowd) => {
        this.#child.off('exit', ended)
        resolve(answer)
      })
      this.#child.send(message)
    })
  }
}
