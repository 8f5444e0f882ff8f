import { setTimeout as delay } from 'node:timers/promises'
import type { Room } from '../sale-under-test/start-sale.ts'

const CAPACITIES = [200, 30, 300, 100]
const FLAP_MS = 150

/** Changes the capacity again and again until it is ended. */
export function flapCapacity(room: Room): { end(): Promise<void> } {
  let isOver = false
  const flap = async (): Promise<void> => {
    for (let next = 0; !isOver; next += 1) {
      await room.change({ capacity: CAPACITIES[next % CAPACITIES.length] })
      await delay(FLAP_MS)
    }
  }
  const flapping = flap()
  return {
    async end() {
      isOver = true
      await flapping
    },
  }
}
