import { setTimeout as delay } from 'node:timers/promises'
import { Refused, type Visitor } from '@seatwise/testbench'
import type { Room } from './start-sale.ts'

export type Ending = 'completed' | 'left' | 'vanished'

const LOOK_MS = 100

/**
 * Joins, and goes on until the end whatever breaks: who was on the floor may find themselves in line again after the line
 * lost its memory, and then waits again.
 */
export async function seeItThrough(visitor: Visitor, ending: Ending, lookMs = LOOK_MS): Promise<void> {
  let { status, reason } = await visitor.join()
  while (status !== 'completed') {
    if (status === 'expired') throw new Error(`${visitor.name} expired although they were there: ${reason}`)
    if (status === 'waiting') await delay(lookMs)
    else if (ending === 'vanished') return
    else if (ending === 'left') return await visitor.leave()
    else if (await isDone(visitor, status)) return
    const standing = await visitor.look()
    status = standing.status
    reason = standing.reason
  }
}

/** Claims or completes. A refusal means that the line has another opinion of where they stand. */
async function isDone(visitor: Visitor, status: string): Promise<boolean> {
  try {
    if (status === 'admitted') await visitor.enter()
    await visitor.complete()
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

let crowds = 0

/** A few visitors who come at once; some leave and some vanish. */
export async function sendCrowd(sale: Room, size: number): Promise<void> {
  crowds += 1
  const visits = Array.from({ length: size }, (_, index) => {
    const temper = sale.random()
    const ending = temper < 0.7 ? 'completed' : temper < 0.9 ? 'left' : 'vanished'
    return seeItThrough(sale.visitor(`crowd ${crowds} visitor ${index}`), ending)
  })
  const failures = (await Promise.allSettled(visits)).flatMap((visit) =>
    visit.status === 'rejected' ? [visit.reason] : [],
  )
  if (failures.length > 0) throw new AggregateError(failures.slice(0, 5), `${failures.length} visitors failed`)
}
