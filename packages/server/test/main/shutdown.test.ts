import { type Server, startServer, waitUntil } from '@seatwise/testbench'
import { afterEach, describe, expect, it } from 'vitest'
import { openRawClient, readAnswer } from '../support/raw-client.ts'

describe('stopping', { timeout: 90_000 }, () => {
  let server: Server
  afterEach(() => server.discard())

  /** Reads the whole answer: an unread answer may keep its connection open when the server is gone. */
  const ask = async (path: string): Promise<{ status: number; body: string }> => {
    const answer = await fetch(server.url + path, { headers: { connection: 'close' } })
    return { status: answer.status, body: await answer.text() }
  }

  it('[O43] readiness fails first, while everything else is still served; it ends with 0', async () => {
    server = await startServer({ mode: 'embedded', env: { SEATWISE_DRAIN_SECONDS: '2' } })
    process.kill(server.pid, 'SIGTERM')
    const answer = await waitUntil('it is not ready', async () => {
      const ready = await ask('/health/ready')
      return ready.status === 503 ? ready.body : null
    })
    expect(JSON.parse(answer)).toMatchObject({ code: 'UNAVAILABLE', missing: ['stopping'] })
    expect((await ask('/openapi.json')).status).toBe(200)
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  it.each(['embedded', 'distributed'] as const)(
    '[O43] %s: a request in flight is finished before it ends with 0',
    async (mode) => {
      server = await startServer({ mode })
      const body = JSON.stringify({ email: 'late@example.com', password: 'nine green bottles', name: 'Late' })
      const client = await openRawClient(server.port)
      const head = 'POST /api/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      client.send(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`)
      // Answered on a connection of its own, so that the request above has surely arrived before the signal.
      expect((await ask('/health/ready')).status).toBe(200)
      process.kill(server.pid, 'SIGTERM')
      await waitUntil('it accepts no new connections', () =>
        ask('/health/live').then(
          () => false,
          () => true,
        ),
      )
      client.send(body.slice(20))
      const answer = readAnswer(await client.answered)
      expect(answer.body).toContain('accessToken')
      expect(answer.statusCode).toBe(201)
      expect(await server.exited).toEqual({ code: 0, signal: null })
    },
  )

  it('[O44] a second signal ends it at once', async () => {
    server = await startServer({ mode: 'embedded', env: { SEATWISE_DRAIN_SECONDS: '300' } })
    process.kill(server.pid, 'SIGINT')
    await waitUntil('it is stopping', async () => (await ask('/health/ready')).status === 503)
    // One Ctrl-C may arrive more than once; only what comes later is a second one.
    const impatient = setInterval(() => process.kill(server.pid, 'SIGINT'), 100)
    void server.exited.then(() => clearInterval(impatient))
    expect(await server.exited).toEqual({ code: 1, signal: null })
  })
})
