import { AssertionError } from 'node:assert/strict'
import { ErrorReply } from 'redis'

/** What Redis answers when a script or a command failed; everything else it refuses says how Redis itself is doing. */
const SCRIPT_FAILED = /^(ERR|WRONGTYPE)\b/
/** Mistakes of our own code, which reads and writes what requests contain. */
const OWN_MISTAKES = [AssertionError, TypeError, RangeError, SyntaxError]
const CAUSES_MAX = 5

/**
 * Whether a step of the line failed because of one of its requests. Not when the line is lost or Redis is away, loading,
 * full, or a replica: then every request of the step fails, and repeating it would only add load.
 */
export function isAboutRequests(error: unknown): boolean {
  // Bounded, because a chain of causes may be a circle.
  for (let current = error, depth = 0; current instanceof Error && depth < CAUSES_MAX; depth += 1) {
    const cause: unknown = current
    if (cause instanceof ErrorReply) return SCRIPT_FAILED.test(cause.message)
    if (OWN_MISTAKES.some((mistake) => cause instanceof mistake)) return true
    current = current.cause
  }
  return false
}
