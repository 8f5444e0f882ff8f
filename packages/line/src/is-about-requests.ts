import { AssertionError } from 'node:assert/strict'
import { ErrorReply } from 'redis'

/** Replies of Redis to a script or command that failed; its other error replies are about Redis itself. */
const SCRIPT_FAILED = /^(ERR|WRONGTYPE)\b/
/** Bugs of our own code, which a request may trigger. */
const OWN_MISTAKES = [AssertionError, TypeError, RangeError, SyntaxError]
const CAUSES_MAX = 5

/**
 * Whether a step of the line failed because of one of its requests. False when the line is lost or Redis is away, loading,
 * full, or a replica: then every request of the step fails, and retrying would only add load.
 */
export function isAboutRequests(error: unknown): boolean {
  // Bounded, because a chain of causes may be circular.
  for (let current = error, depth = 0; current instanceof Error && depth < CAUSES_MAX; depth += 1) {
    const cause: unknown = current
    if (cause instanceof ErrorReply) return SCRIPT_FAILED.test(cause.message)
    if (OWN_MISTAKES.some((mistake) => cause instanceof mistake)) return true
    current = current.cause
  }
  return false
}
