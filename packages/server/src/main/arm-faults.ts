import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { FAULT_POINTS, type FaultAction, type FaultPoint, faults, isFaultPoint } from '@seatwise/domain'

/**
 * Arms the fault points named in SEATWISE_FAULTS, a list such as
 *
 *   join.after-apply=crash@2; admit.before-apply=wait:/tmp/here
 *
 * Actions: `crash` (kill -9 of this process), `throw`, `wait:FILE` (creates the file, continues when it is removed).
 * `@n` acts at the n-th visit only, otherwise it acts at every visit.
 */
export function armFaults(plan: string): void {
  for (const { point, action, atVisit } of parseFaults(plan)) faults.arm(point, action, atVisit)
}

interface PlannedFault {
  point: FaultPoint
  action: FaultAction
  atVisit: number | undefined
}

function parseFaults(plan: string): PlannedFault[] {
  return plan
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseFault)
}

function parseFault(text: string): PlannedFault {
  const [, point = '', action = '', file, visit] =
    /^([\w.-]+)=(crash|throw|wait)(?::(.+?))?(?:@(\d+))?$/.exec(text) ?? []
  if (!isFaultPoint(point)) {
    throw new Error(
      `SEATWISE_FAULTS: "${text}" names no fault point and action; points are ${FAULT_POINTS.join(', ')}.`,
    )
  }
  return { point, action: actionFor(action, file, text), atVisit: visit === undefined ? undefined : Number(visit) }
}

function actionFor(name: string, file: string | undefined, text: string): FaultAction {
  if (name === 'crash' && file === undefined) return crash
  if (name === 'throw' && file === undefined) return fail
  if (name === 'wait' && file !== undefined) return (point) => waitForRemoval(point, file)
  throw new Error(`SEATWISE_FAULTS: "${text}" must end in =crash, =throw or =wait:FILE, and may add @VISIT.`)
}

/** Nothing is flushed and no client is told, as when the machine dies. */
function crash(): void {
  process.kill(process.pid, 'SIGKILL')
}

function fail(point: FaultPoint, visit: number): void {
  throw new Error(`Fault point ${point} threw at visit ${visit}`)
}

/** The file tells the test that the point was reached; removing it lets the program continue. */
async function waitForRemoval(point: FaultPoint, file: string): Promise<void> {
  writeFileSync(file, point)
  while (existsSync(file)) await delay(5)
}
