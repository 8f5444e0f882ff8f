import { faults } from '@seatwise/domain'
import {
  type Batcher,
  createBatcher,
  isAboutRequests,
  type JoinReply,
  type JoinRequest,
  type Line,
  type RoomAt,
  type TicketView,
} from '@seatwise/line'
import { Crowd } from './crowd.ts'
import type { OfEpoch } from './room.ts'
import type { RoomLink } from './room-link.ts'

/** The maximum number of requests of one kind in a batch, and in the queue. */
const STEP_MAX = 500
const QUEUED_MAX = 20_000

/**
 * The steps of a line for single requests; requests that arrive together are sent as one batch. `onTicket` gets the
 * view of a ticket that was drawn or found by joining, before the visitor does.
 */
export function createSteps(line: Line, link: RoomLink, onTicket: (view: TicketView) => void) {
  const queues: { readonly queued: number }[] = []

  function createQueue<Request, Reply extends { seq: number }>(
    name: string,
    step: (at: RoomAt, requests: readonly Request[]) => Promise<Reply[]>,
  ): Batcher<Request, Reply & OfEpoch> {
    const batcher = createBatcher<Request, Reply & OfEpoch>({
      name: `line.${name}`,
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
    return batcher
  }

  function batched<Request, Reply extends { seq: number }>(
    name: string,
    step: (at: RoomAt, requests: readonly Request[]) => Promise<Reply[]>,
  ): (request: Request) => Promise<Reply & OfEpoch> {
    return createQueue(name, step).send
  }

  async function join(at: RoomAt, requests: readonly JoinRequest[]): Promise<JoinReply[]> {
    const replies = await line.join(at, requests)
    for (const reply of replies) if ('state' in reply) onTicket(reply)
    crowd.completed(replies.length)
    return replies
  }

  const joins = createQueue('join', withFaultPoints('join', join))
  const crowd = new Crowd({ waiting: () => joins.queued })

  return {
    join: joins.send,
    /** Throws what a join that arrives now is refused with. */
    refuseCrowd(): void {
      const refusal = crowd.refusal()
      if (refusal !== null) throw refusal
    },
    look: batched('look', line.look.bind(line)),
    enter: batched('enter', withFaultPoints('enter', line.enter.bind(line))),
    end: batched('end', withFaultPoints('leave', line.end.bind(line))),
    extend: batched('extend', line.extend.bind(line)),
    move: batched('move', line.move.bind(line)),
    adopt: batched('adopt', line.adopt.bind(line)),
    restore: batched('restore', line.restore.bind(line)),
    check: batched('check', line.check.bind(line)),
    /** Queued requests of all kinds. */
    queued: () => queues.reduce((sum, { queued }) => sum + queued, 0),
  }
}

/** Lets a test break a step of the line before it is applied, and after that before any caller gets the reply. */
function withFaultPoints<Request, Reply>(
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
