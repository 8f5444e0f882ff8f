import { setTimeout as delay } from 'node:timers/promises'

/** A visitor in any kind of line. */
export interface Rusher {
  readonly name: string
  join(): Promise<RusherStanding>
  look(): Promise<RusherStanding>
  enter(): Promise<void>
  complete(): Promise<void>
  leave(): Promise<void>
}

interface RusherStanding {
  readonly status: string
  readonly rank: number | null
  readonly reason: string | null
}

export interface Rush {
  readonly random: () => number
  visitor(name: string): Rusher
}

/** What became of a crowd. */
export interface RushOutcome {
  completed: number
  left: number
}

/**
 * A crowd that comes within a few seconds: all join, some of them in two tabs at once, some leave, the others wait for
 * their turn, enter and finish. Those near the head look often, the others seldom.
 */
export async function rush(
  { random, visitor }: Rush,
  count: number,
  { arriveWithinMs = 6_000 } = {},
): Promise<RushOutcome> {
  const outcome: RushOutcome = { completed: 0, left: 0 }
  const visits = Array.from({ length: count }, async (_, index) => {
    const temper = random()
    await delay(random() * arriveWithinMs)
    const rusher = visitor(`visitor ${index}`)
    if (temper < 0.1) await Promise.all([rusher.join(), rusher.join()])
    outcome[await visit(rusher, temper > 0.9)] += 1
  })
  // All visitors are awaited, also when one of them fails.
  const failures = (await Promise.allSettled(visits)).flatMap((visit_) =>
    visit_.status === 'rejected' ? [visit_.reason] : [],
  )
  if (failures.length > 0) throw new AggregateError(failures.slice(0, 5), `${failures.length} visitors failed`)
  return outcome
}

async function visit(rusher: Rusher, isImpatient: boolean): Promise<keyof RushOutcome> {
  let standing = await rusher.join()
  for (let looks = 0; standing.status === 'waiting'; looks += 1) {
    if (isImpatient && looks === 2) {
      await rusher.leave()
      return 'left'
    }
    await delay(patienceMs(standing.rank ?? 0))
    standing = await rusher.look()
  }
  if (standing.status !== 'admitted') throw new Error(`${rusher.name} is ${standing.status} (${standing.reason})`)
  await rusher.enter()
  await rusher.complete()
  return 'completed'
}

function patienceMs(rank: number): number {
  return Math.min(2_500, 50 + 3 * rank)
}
