import type { FaultRecord } from '../records/records.ts'

/** After a fault, connections and lines need a moment to recover. */
const RECOVERY_MS = 5_000

export interface Time {
  readonly from: number
  readonly to: number
}

/** From the beginning of each fault until RECOVERY_MS after its end, by the room's clock. */
export function faultTimes(faults: readonly FaultRecord[]): Time[] {
  const times: Time[] = []
  const open = new Map<string, number>()
  for (const { phase, fault, target, atMs } of faults) {
    if (atMs === undefined) continue
    const key = `${fault} ${target}`
    if (phase === 'begin') open.set(key, atMs)
    else times.push({ from: phase === 'end' ? (open.get(key) ?? atMs) : atMs, to: atMs + RECOVERY_MS })
    if (phase === 'end') open.delete(key)
  }
  for (const from of open.values()) times.push({ from, to: Number.POSITIVE_INFINITY })
  return times
}
