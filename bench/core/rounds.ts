import { openSale } from '../support/box-office/sale.ts'
import { driveLosers, driveReservations, driveVisits, type Losers, prepareLosers } from './box-office-figures.ts'
import { imitate, startBare, startKernel } from './ceilings.ts'
import type { Figures } from './figures.ts'
import {
  driveJoins,
  drivePolls,
  fillRoom,
  joinCeiling,
  joinUrl,
  runPolls,
  type Samples,
  sample,
  type WaitingRoom,
} from './line-figures.ts'
import type { Cpu, Subject } from './subject.ts'
import type { Timed } from './timed.ts'

export const PARTS = ['joins', 'polls', 'reservations', 'losers', 'visits'] as const
export type Part = (typeof PARTS)[number]

/** A checkout's server, prepared so that the parts can be measured again and again. */
export interface Prepared {
  readonly subject: Subject
  readonly samples: Samples
  readonly kernelJoin: URL
  readonly kernelPoll: URL
  /** Null when polls, or losers, are not measured. */
  readonly waiting: WaitingRoom | null
  readonly losers: Losers | null
}

export interface Bare {
  readonly join: URL
  readonly poll: URL
}

export const WAITING = 50_000
const SECONDS = 2
/** Ceilings are steadier, and there are four of them. */
const CEILING_SECONDS = 1
const RESERVATION_SECONDS = 1
const LOSER_SECONDS = 1
const VISIT_TIMES = { leadSeconds: 1, seconds: 2 }

export async function prepare(
  stack: AsyncDisposableStack,
  subject: Subject,
  parts: ReadonlySet<Part>,
): Promise<Prepared> {
  const samples = await sample(subject)
  return {
    ...{ subject, samples },
    kernelJoin: await startKernel(stack, imitate('POST', samples.join), subject),
    kernelPoll: await startKernel(stack, imitate('GET', samples.poll), subject),
    waiting: parts.has('polls') ? await fillRoom(subject, WAITING) : null,
    losers: parts.has('losers') ? await prepareLosers(subject) : null,
  }
}

export async function startBares(stack: AsyncDisposableStack, { samples }: Prepared): Promise<Bare> {
  return {
    join: await startBare(stack, imitate('POST', samples.join)),
    poll: await startBare(stack, imitate('GET', samples.poll)),
  }
}

export interface Round {
  readonly parts: ReadonlySet<Part>
  readonly prepared: readonly Prepared[]
  readonly bare: Bare
  readonly connections: readonly number[]
}

/** Everything once with each number of connections, the ceilings and all checkouts in turns. */
export async function measureRound({ parts, prepared, bare, connections }: Round, figures: Figures): Promise<void> {
  const rooms = new Map<Subject, URL>()
  for (const { subject } of prepared) rooms.set(subject, joinUrl(subject, (await openSale(subject)).eventId))
  for (const count of connections) {
    if (parts.has('joins')) await measureJoins(prepared, bare.join, rooms, count, figures)
    await measurePolls(prepared, bare.poll, count, figures)
    for (const { subject, losers } of prepared) {
      const add = (figure: string, value: number): void => figures.add(subject.name, figure, count, value)
      if (parts.has('reservations')) await measureReservations(subject, count, add)
      if (losers !== null) add('losers', (await driveLosers(losers, count, LOSER_SECONDS)).perSecond)
      if (parts.has('visits')) await measureVisits(subject, count, add)
    }
  }
}

async function measureJoins(
  prepared: readonly Prepared[],
  bareUrl: URL,
  rooms: ReadonlyMap<Subject, URL>,
  count: number,
  figures: Figures,
): Promise<void> {
  for (const { subject, kernelJoin } of prepared) {
    const add = (figure: string, value: number): void => figures.add(subject.name, figure, count, value)
    const bare = await joinCeiling(subject, bareUrl, count, CEILING_SECONDS)
    const kernel = await joinCeiling(subject, kernelJoin, count, CEILING_SECONDS)
    const url = rooms.get(subject)
    if (url === undefined) throw new Error('There is no room to join')
    const joins = await driveJoins(subject, url, count, SECONDS)
    add('bare POST', bare.perSecond)
    add('kernel POST', kernel.perSecond)
    add('joins', joins.perSecond)
    add('joins ÷ bare', joins.perSecond / bare.perSecond)
    add('joins ÷ kernel', joins.perSecond / kernel.perSecond)
    for (const process of PROCESSES) add(`join, ${process}`, microsEach(joins, process))
  }
}

async function measurePolls(
  prepared: readonly Prepared[],
  bareUrl: URL,
  count: number,
  figures: Figures,
): Promise<void> {
  for (const { subject, kernelPoll, waiting, samples } of prepared) {
    if (waiting === null) continue
    const add = (figure: string, value: number): void => figures.add(subject.name, figure, count, value)
    const bare = await runPolls(bareUrl, waiting, count, CEILING_SECONDS)
    const kernel = await runPolls(kernelPoll, waiting, count, CEILING_SECONDS)
    const polls = await drivePolls(subject, waiting, count, SECONDS)
    add('bare GET', bare.perSecond)
    add('kernel GET', kernel.perSecond)
    add('polls', polls.perSecond)
    add('polls ÷ bare', polls.perSecond / bare.perSecond)
    add('polls ÷ kernel', polls.perSecond / kernel.perSecond)
    for (const process of PROCESSES) add(`poll, ${process}`, microsEach(polls, process))
    const microsOfAll = PROCESSES.reduce((sum, process) => sum + microsEach(polls, process), 0)
    add('held', (samples.pollAfterMs * 1_000) / microsOfAll)
  }
}

type Add = (figure: string, value: number) => void

async function measureReservations(subject: Subject, count: number, add: Add): Promise<void> {
  const reservations = await driveReservations(subject, count, RESERVATION_SECONDS)
  add('reservations', reservations.perSecond)
  for (const process of PROCESSES) add(`reservation, ${process}`, microsEach(reservations, process))
}

async function measureVisits(subject: Subject, count: number, add: Add): Promise<void> {
  const visits = await driveVisits(subject, count, VISIT_TIMES)
  add('visits', visits.perSecond)
  add('visit, p50', visits.p50Ms)
  add('visit, p99', visits.p99Ms)
  for (const process of PROCESSES) add(`visit, ${process}`, microsEach(visits, process))
}

const PROCESSES = ['server', 'redis', 'postgres'] as const satisfies readonly (keyof Cpu)[]

const microsEach = ({ cpu, answers }: Timed<{ answers: number }>, process: keyof Cpu): number =>
  (cpu[process] * 1e6) / answers
