import { readFileSync } from 'node:fs'
import { formatReport } from '@seatwise/checker'
import { waitUntil } from '@seatwise/testbench'
import { expect } from 'vitest'
import type { Laboratory } from './laboratory.ts'
import { type Answered, DEEDS, type Deed, type Scene } from './scene.ts'

/** What is left when every deed was done exactly once: two paid, one of them scanned, one canceled, one reserved. */
export const DONE_ONCE = { paid: 2, canceled: 1, pending: 1, etickets: 2, checkedIn: 1 }
const DONE = new Set([200, 201, 204])
/** Deadlines of stores are shorter; what a busy machine adds is not the product's. */
const REFUSED_MS_MAX = 15_000

/** All at once, as in a real sale; no deed waits for the others. */
export async function tryAll(scene: Scene, tried: readonly Deed[] = DEEDS): Promise<Record<string, string>> {
  const startedAt = performance.now()
  const outcomes = await Promise.all(
    tried.map(async (deed): Promise<[Deed, string]> => [deed, judge(await scene.attempt(deed))]),
  )
  expect(performance.now() - startedAt).toBeLessThan(REFUSED_MS_MAX)
  return Object.fromEntries(outcomes)
}

/** Everything works again, with the same keys, and everything has happened once. */
export async function expectRecovery(laboratory: Laboratory, scene: Scene): Promise<void> {
  for (const deed of DEEDS) await untilDone(scene, deed)
  await waitUntil('the next one is let in', async () => /admitted|active/.test(await scene.statusOfNext()), PATIENT)
  expect(await scene.facts()).toEqual(DONE_ONCE)
  await expectClean(laboratory, scene)
}

export async function untilDone(scene: Scene, deed: Deed, server = 0): Promise<void> {
  const answers: Answered[] = []
  const works = waitUntil(
    `${deed} works`,
    async () => {
      const answer = await scene.attempt(deed, server)
      answers.push(answer)
      // A payment that lost its beginning is given up after a while, which no deed has to wait for.
      if (deed === 'pay' && !isDone(answer)) await scene.agePayments()
      return isDone(answer)
    },
    PATIENT,
  )
  await works.catch((cause: unknown) => {
    throw new Error(`${deed} was answered ${answers.map(({ status, code }) => `${status} ${code}`).slice(-5)}`, {
      cause,
    })
  })
}

export const PATIENT = { timeoutMs: 40_000 }

export async function expectClean(laboratory: Laboratory, { room }: Scene): Promise<void> {
  const report = await laboratory.verify(room)
  expect(
    report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
    formatReport(report),
  ).toEqual([])
}

export function judge(answer: Answered): string {
  if (isDone(answer)) return 'done'
  if (answer.status === 503 && answer.retryAfterMs !== null && answer.retryAfterMs >= 1_000) return 'refused'
  return `${answer.status} ${answer.code}`
}

function isDone({ status }: Answered): boolean {
  return DONE.has(status)
}

/** A column of the table in docs/faults.md; leaving is not in it, because it only makes room. */
export function outcomesOf(fault: string): Record<string, unknown> {
  const column = TABLE.get('deed')?.indexOf(fault) ?? -1
  const outcomes = DEEDS.map((deed) => [
    deed,
    expectation(TABLE.get(deed)?.[column] ?? (fault === 'Redis away' ? 'refused' : 'done')),
  ])
  return Object.fromEntries(outcomes)
}

function expectation(outcome: string): unknown {
  return outcome === 'told or refused' ? expect.stringMatching(/^(done|refused)$/) : outcome
}

function readTable(): Map<string, string[]> {
  const text = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  return new Map(
    rows.map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return [cells[0] ?? '', cells]
    }),
  )
}

const TABLE = readTable()
