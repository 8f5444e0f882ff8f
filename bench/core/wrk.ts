import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinary, removeFolder, startChild, temporaryFolder } from '@seatwise/testbench'

export interface Load {
  readonly url: URL
  readonly connections: number
  readonly seconds: number
  /** Whole requests, head and body, as they are sent. */
  readonly requests: readonly string[]
  /** `once` for requests that change something, `turns` for requests that may be repeated. */
  readonly order: 'once' | 'turns'
  /** What every answer must be: below 400, or 400 and above. */
  readonly expect: 'accepted' | 'refused'
}

export interface Driven {
  readonly answers: number
  readonly perSecond: number
}

interface Counted {
  readonly answers: number
  readonly seconds: number
  readonly refused: number
  readonly broken: number
  readonly sent: number
  readonly prepared: number
}

const SCRIPT = join(import.meta.dirname, 'requests.lua')

/** Runs wrk with one thread. An answer that is not as expected ends the measurement. */
export async function runWrk(load: Load): Promise<Driven> {
  const { url, connections, seconds, requests, order, expect } = load
  const folder = await temporaryFolder()
  try {
    const file = join(folder, 'requests')
    await writeFile(file, requests.join('\0'), 'latin1')
    const child = await startChild('wrk', findBinary('wrk', 'wrk 4 (Debian: apt-get install wrk)'), [
      ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`],
      ...['--script', SCRIPT, url.origin, '--', file, order, String(randomInt(requests.length))],
    ])
    const { code } = await child.exited
    const line = /^\{.*\}$/m.exec(child.output())?.[0]
    if (code !== 0 || line === undefined) throw new Error(`wrk ended with ${code}:\n${child.output()}`)
    return judge(JSON.parse(line) as Counted, order, expect, url)
  } finally {
    await removeFolder(folder)
  }
}

function judge(counted: Counted, order: Load['order'], expect: Load['expect'], url: URL): Driven {
  const { answers, seconds, refused, broken, sent, prepared } = counted
  if (answers === 0) throw new Error(`${url.href} answered nothing within ${seconds} s: is the machine too busy?`)
  const unexpected = expect === 'accepted' ? refused : answers - refused
  if (unexpected > 0 || broken > 0) {
    throw new Error(`${url.href} answered ${unexpected} of ${answers} not as expected; ${broken} connections broke`)
  }
  if (order === 'once' && sent > prepared) throw new Error(`wrk needed more than ${prepared} requests for ${url.href}`)
  return { answers, perSecond: answers / seconds }
}
