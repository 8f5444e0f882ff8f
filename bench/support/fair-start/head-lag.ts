import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@seatwise/testbench'
import { driveJoins, joinUrl } from '../../core/line-figures.ts'
import type { Subject } from '../../core/subject.ts'
import { openSale } from '../box-office/sale.ts'

const CONNECTIONS = 100
const SECONDS = 10
const LOOK_MS = 20
const PAGE = 1_000
const COVERED_MS_MAX = 60_000

interface Seen {
  readonly at: number
  readonly size: number
}

/** For each entry of a rush, how many milliseconds passed from its time until a client got a head with it. */
export async function measureHeadLag(subject: Subject): Promise<number[]> {
  const { eventId } = await openSale(subject)
  const room = new URL(`/api/events/${eventId}/queue/`, subject.url)
  const seen: Seen[] = []
  let isOn = true
  const watching = (async () => {
    while (isOn) {
      const answer = await fetch(new URL('head', room))
      const { size } = answer.status === 200 ? ((await answer.json()) as { size: number }) : { size: 0 }
      if (size > (seen.at(-1)?.size ?? 0)) seen.push({ at: Date.now(), size })
      await delay(LOOK_MS)
    }
  })()
  const { answers } = await driveJoins(subject, joinUrl(subject, eventId), CONNECTIONS, SECONDS)
  const times = await readTimes(room)
  if (times.length < answers) throw new Error(`${answers} joined, and the log has ${times.length} entries`)
  await waitUntil('a head covers all', () => (seen.at(-1)?.size ?? 0) >= times.length, { timeoutMs: COVERED_MS_MAX })
  isOn = false
  await watching
  return lags(times, seen)
}

function lags(times: readonly number[], seen: readonly Seen[]): number[] {
  let next = 0
  return times.map((at, index) => {
    while ((seen[next]?.size ?? Number.POSITIVE_INFINITY) <= index) next += 1
    return (seen[next]?.at ?? Number.NaN) - at
  })
}

/** When each entry of the log was made, by the clock of Redis, which is that of this machine. */
async function readTimes(room: URL): Promise<number[]> {
  const times: number[] = []
  for (let after: string | null = '0-0'; after !== null; ) {
    const answer = await fetch(new URL(`audit?after=${after}&limit=${PAGE}`, room))
    const page = (await answer.json()) as { items: { at: number }[]; nextAfter: string | null }
    times.push(...page.items.map(({ at }) => at))
    after = page.items.length === 0 ? null : page.nextAfter
  }
  return times
}
