import { faults } from '@seatwise/domain'
import type { RoomAt } from '@seatwise/line'

/** Lets a test break a step of the line before it is applied, and after that before any caller gets the reply. */
export function withFaultPoints<Request, Reply>(
  operation: 'join' | 'enter' | 'leave',
  step: (at: RoomAt, requests: readonly Request[]) => Promise<Reply[]>,
): (at: RoomAt, requests: readonly Request[]) => Promise<Reply[]> {
  return async (at, requests) => {
    if (faults.on) await faults.reach(`${operation}.before-apply`)
    const replies = await step(at, requests)
    if (faults.on) await faults.reach(`${operation}.after-apply`)
    return replies
  }
}
