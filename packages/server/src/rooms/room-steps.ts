import {
  createBatcher,
  isAboutRequests,
  type JoinReply,
  type JoinRequest,
  type Line,
  type RoomAt,
  type TicketView,
} from '@seatwise/line'
import type { OfEpoch } from './room.ts'
import type { RoomLink } from './room-link.ts'
import { withFaultPoints } from './with-fault-points.ts'

/** Requests of one kind that travel together, and how many may wait for their turn. */
const STEP_MAX = 500
const QUEUED_MAX = 20_000

/**
 * The steps of a line for one request each; those that arrive together travel together. `onTicket` hears what
 * was told of a ticket whose owner joined, before they do.
 */
export function createSteps(line: Line, link: RoomLink, onTicket: (view: TicketView) => void) {
  const queues: { readonly queued: number }[] = []

  function batched<Request, Reply extends { seq: number }>(
    step: (at: RoomAt, requests: readonly Request[]) => Promise<Reply[]>,
  ): (request: Request) => Promise<Reply & OfEpoch> {
    const batcher = createBatcher<Request, Reply & OfEpoch>({
      maxItems: STEP_MAX,
      maxQueued: QUEUED_MAX,
      // A second call would only halve the first: the store answers sooner than the next requests are read.
      maxInFlight: 1,
      // Every step is idempotent, by its operation id or by what it does.
      isAboutItems: isAboutRequests,
      run: (requests) =>
        link.run(async (at) => {
          const replies = await step(at, requests)
          const last = replies.at(-1)
          if (last !== undefined) link.saw(at.epoch, last.seq)
          // The room may stand under another one by the time somebody reads this.
          return replies.map((reply) => Object.assign(reply, { epoch: at.epoch }))
        }),
    })
    queues.push(batcher)
    return (request) => batcher.send(request)
  }

  async function join(at: RoomAt, requests: readonly JoinRequest[]): Promise<JoinReply[]> {
    const replies = await line.join(at, requests)
    for (const reply of replies) if ('state' in reply) onTicket(reply)
    return replies
  }

  return {
    join: batched(withFaultPoints('join', join)),
    look: batched(line.look.bind(line)),
    enter: batched(withFaultPoints('enter', line.enter.bind(line))),
    end: batched(withFaultPoints('leave', line.end.bind(line))),
    extend: batched(line.extend.bind(line)),
    move: batched(line.move.bind(line)),
    adopt: batched(line.adopt.bind(line)),
    restore: batched(line.restore.bind(line)),
    check: batched(line.check.bind(line)),
    /** Requests of all kinds that wait for their turn. */
    queued: () => queues.reduce((sum, { queued }) => sum + queued, 0),
  }
}
