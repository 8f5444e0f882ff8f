import { expectRecord, removeFolder, type Server, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { expect, onTestFinished, test } from 'vitest'

test('[T5] the whole server runs as a child process in distributed mode, and its operator can sign in', async () => {
  const server = await startServer({ mode: 'distributed' })
  onTestFinished(() => server.discard())
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
  expect(await roleOf(server, await server.adminToken())).toBe('admin')
  expect(await server.stop()).toEqual({ code: 0, signal: null })
})

test('[T5] embedded too; one that is paused answers no request until it is resumed, one that was killed starts again on the same port with its data', async () => {
  const server = await startServer({ mode: 'embedded' })
  onTestFinished(() => server.discard())
  const token = await server.adminToken()
  expect(await roleOf(server, token)).toBe('admin')

  server.pause()
  let answered = false
  const answer = fetch(`${server.url}/health/live`).then((response) => {
    answered = true
    return response.status
  })
  await expect(waitUntil('it answers', () => answered, { timeoutMs: 200 })).rejects.toThrow('in vain')
  server.resume()
  expect(await answer).toBe(200)

  const firstPid = server.pid
  expect(await server.kill()).toEqual({ code: null, signal: 'SIGKILL' })
  await server.restart()
  expect(server.pid).not.toBe(firstPid)
  expect(await roleOf(server, token)).toBe('admin')
})

test('[T5] a server that cannot start says what it printed', async () => {
  const folder = await temporaryFolder()
  const starting = startServer({ mode: 'embedded', env: { SEATWISE_DATA_DIR: folder, SEATWISE_DEMO: 'perhaps' } })
  await expect(starting).rejects.toThrow(/seatwise serve ended with 1 instead of starting[\s\S]*SEATWISE_DEMO/)
  await removeFolder(folder)
})

async function roleOf({ url }: Server, token: string): Promise<unknown> {
  const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  return expectRecord(await me.json()).role
}
