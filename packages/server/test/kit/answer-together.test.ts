import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { answerTogether } from '../../src/kit/answer-together.ts'

/** Notes when requests are read and when they are answered; `/bad` fails when it is answered. */
function noting(steps: string[]): FastifyInstance {
  const app = Fastify()
  app.get('/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    steps.push(`${name} read`)
    answerTogether(reply, () => {
      steps.push(`${name} answered`)
      if (name === 'bad') throw new Error('cannot be written')
      reply.send({ name })
    })
  })
  return app
}

async function askAtOnce(app: FastifyInstance, names: readonly string[]) {
  await app.ready()
  const answers = await Promise.all(names.map((name) => app.inject(`/${name}`)))
  await app.close()
  return answers
}

describe('answers of one turn', () => {
  it('[C9] are sent together, once everything that came in it was read, in the order in which it came', async () => {
    const steps: string[] = []
    const answers = await askAtOnce(noting(steps), ['one', 'two', 'three'])
    expect(answers.map((answer) => answer.json())).toEqual([{ name: 'one' }, { name: 'two' }, { name: 'three' }])
    expect(steps).toEqual(['one read', 'two read', 'three read', 'one answered', 'two answered', 'three answered'])
  })

  it('[C9] one that cannot be written fails alone', async () => {
    const answers = await askAtOnce(noting([]), ['one', 'bad', 'three'])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200])
  })
})
