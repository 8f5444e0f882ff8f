import { RedisTimeout } from './connection.ts'

/** Waits for `answer`, but not longer than `timeoutMs`. The command itself is not cancelled. */
export async function withDeadline<Answer>(answer: Promise<Answer>, what: string, timeoutMs: number): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new RedisTimeout(what, timeoutMs)), timeoutMs)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
