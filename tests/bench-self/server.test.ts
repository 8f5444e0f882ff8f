import { removeFolder, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { expect, onTestFinished, test } from 'vitest'

for (const mode of ['embedded', 'distributed'] as const) {
  test(`[T5] the whole server runs as a child process in ${mode} mode, and its operator can sign in`, async () => {
    const server = await startServer({ mode })
    onTestFinished(() => server.discard())
    const ready = await fetch(`${server.url}/health/ready`)
    expect(ready.status).toBe(200)

    const authorization = `Bearer ${await server.adminToken()}`
    const me = await fetch(`${server.url}/api/auth/me`, { headers: { authorization } })
    expect(await me.json()).toMatchObject({ role: 'admin' })

    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })
}

test('[T5] a server that was killed starts again on the same port with its data', async () => {
  const server = await startServer({ mode: 'embedded' })
  onTestFinished(() => server.discard())
  const token = await server.adminToken()
  const firstPid = server.pid
  expect(await server.kill()).toEqual({ code: null, signal: 'SIGKILL' })
  await server.restart()
  expect(server.pid).not.toBe(firstPid)
  const me = await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(await me.json()).toMatchObject({ role: 'admin' })
})

test('[T5] a server that cannot start says what it printed', async () => {
  const folder = await temporaryFolder()
  const starting = startServer({ mode: 'embedded', env: { SEATWISE_DATA_DIR: folder, SEATWISE_DEMO: 'perhaps' } })
  await expect(starting).rejects.toThrow(/seatwise serve ended with 1 instead of starting[\s\S]*SEATWISE_DEMO/)
  await removeFolder(folder)
})

test('[T5] a paused server answers nobody until it is resumed', async () => {
  const server = await startServer({ mode: 'embedded' })
  onTestFinished(() => server.discard())
  server.pause()
  let answered = false
  const answer = fetch(`${server.url}/health/live`).then((response) => {
    answered = true
    return response.status
  })
  await expect(waitUntil('it answers', () => answered, { timeoutMs: 200 })).rejects.toThrow('in vain')
  server.resume()
  expect(await answer).toBe(200)
})
