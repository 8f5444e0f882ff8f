import type { FastifyReply } from 'fastify'

interface Waiting {
  readonly reply: FastifyReply
  readonly answer: () => void
}

/** At most one entry per connection that has a request in this turn of the event loop. */
let waiting: Waiting[] = []

/**
 * For answers that come from memory alone: all answers of one turn of the event loop are sent together at its end. An
 * answer that is sent alone wakes its reader, which falls asleep again before the next one comes: that was half of the
 * cost of a poll. The handler must return nothing.
 */
export function answerTogether(reply: FastifyReply, answer: () => void): void {
  if (waiting.length === 0) setImmediate(answerAll)
  waiting.push({ reply, answer })
}

function answerAll(): void {
  const answers = waiting
  waiting = []
  for (const { reply, answer } of answers) {
    try {
      answer()
    } catch (error) {
      reply.send(error)
    }
  }
}
