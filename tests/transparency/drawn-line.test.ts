import { checkPublicLog } from '@seatwise/checker'
import { type HeadJson, removeFolder, startServer, temporaryFolder, verifyLog, waitUntil } from '@seatwise/testbench'
import { expect, it } from 'vitest'

it('[N10] [N13] [N14] an honest draw is accepted by all who check, whole and by samples', {
  timeout: 120_000,
}, async () => {
  const folder = await temporaryFolder()
  const server = await startServer({ mode: 'embedded', dataDir: folder })
  const ask = async (path: string) => (await (await fetch(new URL(path, server.url))).json()) as unknown
  const post = async <Answer>(path: string, body: object, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    return (await (await fetch(new URL(path, server.url), init)).json()) as Answer
  }
  try {
    const opensAt = Date.now() + 6_000
    const event = await post<{ id: string; roomId: string }>(
      '/api/events',
      {
        ...{ name: 'Drawn', totalSeats: 50, salesEndAt: '2099-01-01T00:00:00Z' },
        salesStartAt: new Date(opensAt).toISOString(),
        room: {
          ...{ preQueueAt: new Date(Date.now() - 1_000).toISOString(), draw: 'commit', challenge: 'off' },
          ...{ capacity: 5, ratePerMinute: 60_000, burst: 10, guestsPerAddress: 0 },
        },
      },
      { authorization: `Bearer ${await server.adminToken()}` },
    )
    const room = `/api/events/${event.id}`
    for (let count = 0; count < 8; count += 1) await post(`${room}/queue/join`, {})
    await waitUntil('the first were let in', async () => {
      const { items } = (await ask(`${room}/queue/audit?limit=1000`)) as { items: { kind: string }[] }
      return items.filter(({ kind }) => kind === 'admitted').length === 5
    })
    await post(`${room}/queue/join`, {})
    await waitUntil('all is in a head', async () => {
      const { items } = (await ask(`${room}/queue/audit?limit=1000`)) as { items: unknown[] }
      return ((await ask(`${room}/queue/head`)) as HeadJson).size === items.length
    })
    expect(await verifyLog(ask, room)).toEqual([])
    const check = { ask, room, roomId: event.roomId }
    expect(await checkPublicLog(check)).toMatchObject({ problems: [], isWhole: true })
    // As if it were too long: entries are sampled, each with its proof.
    expect(await checkPublicLog({ ...check, entriesMax: 3 })).toMatchObject({
      problems: [],
      isWhole: false,
      checked: 40,
    })
    const altered = async (path: string) => {
      const answer = await ask(path)
      return path.includes('/audit?') ? JSON.parse(JSON.stringify(answer).replaceAll('\\"seq\\"', '\\"sea\\"')) : answer
    }
    expect((await checkPublicLog({ ...check, ask: altered, entriesMax: 3 })).problems[0]).toContain(
      'not in the signed log',
    )
  } finally {
    await server.discard()
    await removeFolder(folder)
  }
})
