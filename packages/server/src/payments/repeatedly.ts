import type { Logger } from 'pino'

export interface RepeatedWork {
  start(): void
  /** Waits for the round that is under way. */
  stop(): Promise<void>
}

/** Does work again and again, one round at a time, with a pause between them. A round that fails is logged. */
export function repeatedly(pauseMs: number, log: Logger, what: string, work: () => Promise<unknown>): RepeatedWork {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let isOn = false

  const next = (): void => {
    if (!isOn) return
    // Servers that started together should not ask together.
    timer = setTimeout(
      () => {
        round = work()
          .catch((err) => log.warn({ err }, `${what} failed; trying again`))
          .then(next)
      },
      pauseMs * (0.75 + Math.random() / 2),
    )
  }
  return {
    start() {
      isOn = true
      next()
    },
    async stop() {
      isOn = false
      clearTimeout(timer)
      await round
    },
  }
}
