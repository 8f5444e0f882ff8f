import { useEffect, useState } from 'preact/hooks'
import { call, explain } from './api.ts'

export interface Asked<Answer> {
  readonly answer: Answer | null
  readonly problem: string
  /** Asks at once. */
  readonly again: () => void
}

/** An answer of the API: asked for when the address changes, and polled while the page is visible. */
export function useAnswer<Answer>(path: string, everyMs: number | null, ...dependencies: unknown[]): Asked<Answer> {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [problem, setProblem] = useState('')
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const ask = (): void => {
      if (document.hidden) return
      call<Answer>('GET', path).then(
        (fresh) => {
          if (!isCurrent) return
          setAnswer(fresh)
          setProblem('')
        },
        (error) => isCurrent && setProblem(explain(error)),
      )
    }
    ask()
    const timer = everyMs === null ? undefined : setInterval(ask, everyMs)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [path, everyMs, round, ...dependencies])
  return { answer, problem, again: () => setRound((before) => before + 1) }
}
