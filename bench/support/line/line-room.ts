import { randomBytes, randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import {
  connectRedis,
  type JoinRequest,
  type Line,
  NO_PLACE,
  openRedisLine,
  parseRedisUrl,
  type TicketAct,
} from '@seatwise/line'
import type { Redis } from '@seatwise/testbench'

/** A room of which only the line is there: no server, no ledger. */
export interface LineRoom {
  waiting(): number
  fill(waiting: number): Promise<void>
  /** One step; its requests were made before, because making them is not what is measured. */
  join(requests: readonly JoinRequest[]): Promise<void>
  /** The visitors who joined in the last step ask for their position. */
  look(): Promise<void>
  /** Reads the public document. */
  readNow(): Promise<void>
  trim(): Promise<void>
  drop(): Promise<void>
}

const WAITING_MAX = 10_000_000
const LOG_MAX = 1_000_000
const FILL_BATCH = 500
const FILLS_PER_TRIM = 20

export async function onRedisLine<Result>(redis: Redis, work: (line: Line) => Promise<Result>): Promise<Result> {
  const fail = (error: unknown): void => {
    throw new Error('Redis failed in the middle of a measurement', { cause: error })
  }
  const parsed = parseRedisUrl(redis.url)
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  const connection = await connectRedis(parsed.target, { onError: fail })
  const line = openRedisLine({ connection, onCleaningError: fail })
  try {
    return await work(line)
  } finally {
    await line.close()
    await connection.close()
  }
}

export async function openLineRoom(line: Line): Promise<LineRoom> {
  const id = randomUUID()
  const at = { room: id, epoch: 1, seenSeq: 0 }
  let waiting = 0
  let latest: TicketAct[] = []
  await line.beginLoad(id, 1, {
    settings: { ...ROOM_DEFAULTS, maxWaiting: WAITING_MAX },
    paused: true,
    message: null,
    opensAt: 0,
    closesAt: Number.MAX_SAFE_INTEGER,
    stock: null,
    heldSeats: 0,
    stockVersion: 0,
    nextNumber: 1,
    marks: {},
    lastPlaces: [NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE],
    passedPlace: NO_PLACE,
    usedCodes: [],
    logMax: LOG_MAX,
    followWithinMs: null,
    reason: 'opened',
  })
  await line.finishLoad(id, 1)
  const join = async (requests: readonly JoinRequest[]): Promise<void> => {
    const replies = await line.join(at, requests)
    latest = replies.map((reply, index) => {
      if (reply.status !== 'joined') throw new Error(`A join was answered ${reply.status}`)
      at.seenSeq = reply.seq
      return { number: reply.number, identity: requests[index]?.identity ?? '', generation: 1 }
    })
    waiting += requests.length
  }
  const trim = (): Promise<void> => line.trim(at, at.seenSeq)
  return {
    waiting: () => waiting,
    join,
    trim,
    drop: () => line.drop(id),
    async look() {
      await line.look(
        at,
        latest.map((ticket) => ({ ...ticket, heartbeat: false })),
      )
    },
    readNow: async () => void (await line.now(at)),
    async fill(wanted) {
      for (let step = 1; waiting < wanted; step += 1) {
        await join(newVisitors(Math.min(FILL_BATCH, wanted - waiting)))
        if (step % FILLS_PER_TRIM === 0) await trim()
      }
      await trim()
    },
  }
}

export function newVisitors(count: number): JoinRequest[] {
  return Array.from({ length: count }, () => ({
    identity: randomBytes(12).toString('base64url'),
    class: 0,
    profile: '{"userId":null,"name":null,"avatar":null,"address":"127.0.0.1","userAgent":null,"metadata":null}',
  }))
}
