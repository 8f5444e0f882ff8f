import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder, startChild, temporaryFolder } from '@seatwise/testbench'
import { followMap, type Guest, type House, letIn, openHouse, reserve } from '../support/box-office/house.ts'
import type { Subject } from './subject.ts'
import { type Timed, timed } from './timed.ts'
import type { Visited, VisitJob } from './visit-driver.ts'
import { type Driven, runWrk } from './wrk.ts'

const LOSERS = 1_000
/** More visits than one server completes in a second. */
const VISITS_PER_SECOND_MAX = 2_500
/** More reservations than one server makes in a second. */
const RESERVATIONS_PER_SECOND_MAX = 12_000

/** Guests on the floor with one free seat each; they reserve once. Entering is not measured. */
export async function driveReservations(
  subject: Subject,
  connections: number,
  seconds: number,
): Promise<Timed<Driven>> {
  const house = await openHouse(subject, seconds * RESERVATIONS_PER_SECOND_MAX)
  const guests = await letIn(house, newVisitors(subject, house.seatIds.length))
  const requests = guests.map((guest, index) => asText(reserve(house, guest, house.seatIds[index] ?? '')))
  // A visitor who chooses a seat looks at the map first, so the server follows it by then.
  await followMap(house)
  const load = { url: new URL(house.url), connections, seconds, requests, order: 'once', expect: 'accepted' } as const
  return await timed(subject, () => runWrk(load))
}

/** Guests on the floor who all want a seat that is taken. */
export interface Losers {
  readonly house: House
  readonly guests: readonly Guest[]
}

export async function prepareLosers(subject: Subject): Promise<Losers> {
  const house = await openHouse(subject, 2 * LOSERS)
  const [winner, ...guests] = await letIn(house, newVisitors(subject, LOSERS + 1))
  if (winner === undefined) throw new Error('No visitor entered')
  const url = new URL(house.url)
  const requests = [asText(reserve(house, winner, takenSeat(house)))]
  // The winner repeats one request with one key, which is answered as the first time.
  await runWrk({ url, connections: 1, seconds: 1, requests, order: 'turns', expect: 'accepted' })
  return { house, guests }
}

export async function driveLosers({ house, guests }: Losers, connections: number, seconds: number): Promise<Driven> {
  const requests = guests.map((guest) => asText(reserve(house, guest, takenSeat(house))))
  const url = new URL(house.url)
  return await runWrk({ url, connections, seconds, requests, order: 'turns', expect: 'refused' })
}

/** Whole visits, driven by a process of our own: wrk cannot use one answer in the next request of a connection. */
export async function driveVisits(
  subject: Subject,
  connections: number,
  times: { leadSeconds: number; seconds: number },
): Promise<Timed<Visited>> {
  const count = Math.ceil((times.leadSeconds + times.seconds) * VISITS_PER_SECOND_MAX)
  const house = await openHouse(subject, count)
  const job: VisitJob = { house, connections, ...times, accessTokens: newVisitors(subject, count) }
  const folder = await temporaryFolder()
  try {
    const file = join(folder, 'job.json')
    await writeFile(file, JSON.stringify(job))
    const program = join(import.meta.dirname, 'visit-driver.ts')
    return await timed(subject, async () => {
      const child = await startChild('visit driver', process.execPath, [program, file])
      const { code } = await child.exited
      if (code !== 0) throw new Error(`The driver of visits ended with ${code}:\n${child.output()}`)
      return JSON.parse(child.output()) as Visited
    })
  } finally {
    await removeFolder(folder)
  }
}

const newVisitors = (subject: Subject, count: number): string[] =>
  Array.from({ length: count }, () => subject.newAccessToken())

const asText = (request: Buffer): string => request.toString('latin1')

function takenSeat({ seatIds }: House): string {
  const [seatId] = seatIds
  if (seatId === undefined) throw new Error('The event has no seats')
  return seatId
}
