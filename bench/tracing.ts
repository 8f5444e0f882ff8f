import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HttpClient, removeFolder, type Server, startServer, temporaryFolder } from '@seatwise/testbench'
import { startCollector } from '../tests/tracing/collector.ts'

// What tracing costs: processor time of an embedded server for a join, off, at 1 %, and with every request traced. In turns, so
// that what else the machine does falls on all of them; processor time, because it changes less with the load than rates do.
const JOINS = 2_000
const WARM_UP = 1_000
const ROUNDS = 5
const AT_ONCE = 50

interface Case {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
}

export async function measureTracing(): Promise<void> {
  const collector = await startCollector()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const cases: Case[] = [
    { name: 'off', env: {} },
    { name: '1 %', env: { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0.01' } },
    { name: '100 %', env: { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '1' } },
  ]
  const http = new HttpClient()
  const folder = await temporaryFolder()
  const start = (env: Case['env'], at: number): Promise<Server> => {
    const dataDir = join(folder, String(at))
    mkdirSync(dataDir)
    return startServer({ mode: 'embedded', env, dataDir })
  }
  const servers = await Promise.all(cases.map(({ env }, at) => start(env, at)))
  try {
    const lines = await Promise.all(servers.map((server) => openLine(server)))
    for (const [at, server] of servers.entries()) await joinAll(http, server, lines[at] ?? '', WARM_UP)
    const micros: number[][] = cases.map(() => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [at, server] of servers.entries()) {
        const before = await processorSeconds(server)
        await joinAll(http, server, lines[at] ?? '', JOINS)
        micros[at]?.push(((await processorSeconds(server)) - before) * (1e6 / JOINS))
      }
    }
    for (const [at, { name }] of cases.entries()) {
      const sorted = (micros[at] ?? []).toSorted((a, b) => a - b)
      const [lowest, median, highest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
      console.log(`| ${name} | ${lowest?.toFixed(0)} | ${median?.toFixed(0)} | ${highest?.toFixed(0)} |`)
    }
  } finally {
    for (const server of servers) await server.discard()
    await http.close()
    await removeFolder(folder)
    await collector.close()
  }
}

async function openLine(server: Server): Promise<string> {
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  const room = { paused: true, guestsPerAddress: 0, challenge: 'off' }
  const event = { name: 'A line', totalSeats: 10, salesStartAt: at(-1), salesEndAt: at(9), room }
  const answer = await fetch(`${server.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  })
  return ((await answer.json()) as { id: string }).id
}

async function joinAll(http: HttpClient, server: Server, eventId: string, count: number): Promise<void> {
  const url = `${server.url}/api/events/${eventId}/queue/join`
  for (let done = 0; done < count; done += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => http.send({ method: 'POST', url, headers: {}, body: {} })),
    )
    const refused = answers.find(({ status }) => status !== 200)
    if (refused !== undefined) throw new Error(`A join was answered ${refused.status}: ${JSON.stringify(refused.body)}`)
  }
}

async function processorSeconds(server: Server): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await measureTracing()
