import { senderOf } from '../../http/index.ts'
import { RecentMap } from '../../kit/index.ts'

/** The usual work: on average half as many hashes. A slow phone does them in less than half a second. */
export const USUAL_WORK = 100_000
/** The most that one visitor is ever asked for. */
const WORK_MAX = 64 * USUAL_WORK

/** A household, an office or a queue of colleagues at one address joins without proofs; then one every so often. */
const ADDRESS_FREE = 30
const ADDRESS_FORGETS_MS = 6_000
/** The work for an address is twice the usual after so many more, three times after twice as many, and so on. */
const ADDRESS_STEP = 64
/** A rush: in the last seconds more joins a second than this, and than so many times what the room had before. */
const ROOM_FREE_PER_SECOND = 20
const ROOM_TIMES_USUAL = 4
const LATELY_MS = 10_000
const USUALLY_MS = 600_000
const RUSH_TIMES_MAX = 4

const ROOMS_MAX = 10_000
const ADDRESSES_MAX = 100_000

/** Counts joins, and says how much work the next one costs. Each server counts for itself. Rules R84 and R85. */
export interface Rush {
  /** Counts a join, or the challenge for one. Returns its work, and whether `auto` asks for it. */
  count(room: string, address: string): Asked
  /** The same for the next join, without counting it. */
  look(room: string, address: string): Asked
  /** Of a join that was counted and drew no ticket. */
  forget(room: string, address: string): void
  readonly size: number
}

interface Asked {
  readonly work: number
  readonly isRush: boolean
}

/** Joins a second, averaged over the last seconds and over the last minutes. */
interface Pace {
  readonly lately: number
  readonly usually: number
  readonly at: number
}

interface Crowd {
  readonly count: number
  readonly at: number
}

/** `workers` share a port: each counts by itself, and allows its share. */
export function createRush(now: () => number, workers = 1): Rush {
  const paces = new RecentMap<string, Pace>(ROOMS_MAX)
  const crowds = new RecentMap<string, Crowd>(ADDRESSES_MAX)
  const free = ROOM_FREE_PER_SECOND / workers
  const addressFree = Math.max(1, ADDRESS_FREE / workers)
  const keyOf = (room: string, address: string): string => `${room} ${senderOf(address)}`

  function paceOf(room: string, joins: number): Pace {
    const at = now()
    const { lately, usually, at: before } = paces.get(room) ?? { lately: 0, usually: 0, at }
    const ms = Math.max(0, at - before)
    return {
      lately: lately * Math.exp(-ms / LATELY_MS) + (joins * 1_000) / LATELY_MS,
      usually: usually * Math.exp(-ms / USUALLY_MS) + (joins * 1_000) / USUALLY_MS,
      at,
    }
  }

  function crowdOf(key: string, joins: number): Crowd {
    const at = now()
    const { count, at: before } = crowds.get(key) ?? { count: 0, at }
    return { count: Math.max(0, count - Math.max(0, at - before) / ADDRESS_FORGETS_MS) + joins, at }
  }

  function asked({ lately, usually }: Pace, { count }: Crowd): Asked {
    const rush = lately / Math.max(free, ROOM_TIMES_USUAL * usually)
    const crowd = Math.max(0, count - addressFree) / ADDRESS_STEP
    const times = Math.min(Math.max(1, rush), RUSH_TIMES_MAX) * (1 + crowd)
    return { work: Math.min(WORK_MAX, Math.round(USUAL_WORK * times)), isRush: rush > 1 || crowd > 0 }
  }

  function add(room: string, address: string, joins: number): Asked {
    const key = keyOf(room, address)
    const [pace, crowd] = [paceOf(room, joins), crowdOf(key, joins)]
    paces.set(room, pace)
    crowds.set(key, crowd)
    return asked(pace, crowd)
  }

  return {
    count: (room, address) => add(room, address, 1),
    look: (room, address) => asked(paceOf(room, 1), crowdOf(keyOf(room, address), 1)),
    forget: (room, address) => void add(room, address, -1),
    get size() {
      return paces.size + crowds.size
    },
  }
}
