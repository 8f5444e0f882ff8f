import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectFields, shape } from '@seatwise/testbench'

export type AuditItem = Record<string, unknown> & { canonical: string; hash: string }

const AUDIT_ITEM = shape.fields({ canonical: shape.text, hash: shape.text })

interface Mirror extends AsyncDisposable {
  readonly url: URL
  lie: (items: AuditItem[]) => AuditItem[]
}

/** Serves the public log of another server, and what it makes of it. */
export async function openMirror(origin: string): Promise<Mirror> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? '/', origin))
    const page = expectFields(await answer.json(), { items: shape.listOf(AUDIT_ITEM) })
    response.end(JSON.stringify({ ...page, items: mirror.lie(page.items) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const mirror: Mirror = {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    lie: (items) => items,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return mirror
}
