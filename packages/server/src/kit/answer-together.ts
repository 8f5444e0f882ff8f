import type { FastifyReply } from 'fastify'

interface Waiting {
  readonly reply: FastifyReply
  readonly answer: () => void
}

/** As many as there are connections with a request in this turn of the event loop. */
let waiting: Waiting[] = []

/**
 * For answers that need nothing but memory: what a crowd asks in one turn of the event loop is answered in one go at its
 * end. An answer that is sent alone wakes whoever reads it, who falls asleep again before the next one comes: half of
 * what a poll cost. The handler must return nothing.
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
