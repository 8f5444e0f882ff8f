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

/** The maximum number of requests of one kind in a batch, and in the queue. */
const STEP_MAX = 500
const QUEUED_MAX = 20_000

/**
 * The steps of a line for single requests; requests that arrive together are sent as one batch. `onTicket` gets the
 * view of a ticket that was drawn or found by joining, before the visitor does.
 */
export function createSteps(line: Line, link: RoomLink, onTicket: (view: TicketView) => void) {
  const queues: { readonly queued: number }[] = []

  function batched<Request, Reply extends { seq: number }>(
    step: (at: RoomAt, requests: readonly Request[]) => Promise<Reply[]>,
  ): (request: Request) => Promise<Reply & OfEpoch> {
    const batcher = createBatcher<Request, Reply & OfEpoch>({
      maxItems: STEP_MAX,
      maxQueued: QUEUED_MAX,
      // A second call in flight would only halve the first: the store answers before the next requests are read.
      maxInFlight: 1,
      // Every step is idempotent, by its operation id or by what it does.
      isAboutItems: isAboutRequests,
      run: (requests) =>
        link.run(async (at) => {
          const replies = await step(at, requests)
          const last = replies.at(-1)
          if (last !== undefined) link.saw(at.epoch, last.seq)
          // The room may have another epoch by the time a reader uses this reply.
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
    /** Queued requests of all kinds. */
    queued: () => queues.reduce((sum, { queued }) => sum + queued, 0),
  }
}
