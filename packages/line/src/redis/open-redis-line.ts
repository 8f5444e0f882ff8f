import type { Line } from '../contract.ts'
import type { Corrected } from '../log-entry.ts'
import type { LoadedTicket, RoomState } from '../room-state.ts'
import type { RedisConnection } from './connection/connection.ts'
import { Scripts } from './scripts/scripts.ts'
import { admit } from './steps/admit.ts'
import { adopt } from './steps/adopt.ts'
import { change } from './steps/change.ts'
import { check } from './steps/check.ts'
import { end } from './steps/end.ts'
import { enter } from './steps/enter.ts'
import { extend } from './steps/extend.ts'
import { floor } from './steps/floor.ts'
import { heartbeat } from './steps/heartbeat.ts'
import { join } from './steps/join.ts'
import { beginLoad, drop, epochOf, finishLoad, forgetEarlier, loadTickets } from './steps/load.ts'
import { look } from './steps/look.ts'
import { move } from './steps/move.ts'
import { now } from './steps/now.ts'
import { present } from './steps/present.ts'
import { range } from './steps/range.ts'
import { readLog } from './steps/read-log.ts'
import { rearrange } from './steps/rearrange.ts'
import { restore } from './steps/restore.ts'
import { reveal } from './steps/reveal.ts'
import { seal } from './steps/seal.ts'
import { settle } from './steps/settle.ts'
import { sweep } from './steps/sweep.ts'
import { take } from './steps/take.ts'
import { trim } from './steps/trim.ts'

export interface RedisLineOptions {
  connection: RedisConnection
  /** Prefix of all keys; without braces, which would change the hash tag. */
  prefix?: string
  /** Called when removing an earlier epoch's keys failed; the next load retries. */
  onCleaningError: (error: unknown) => void
}

/** The line of every room on Redis. Each method is one script; the connection is closed by `close`. */
export function openRedisLine(options: RedisLineOptions): Line {
  return new RedisLine(options)
}

class RedisLine implements Line {
  readonly #scripts: Scripts
  readonly #onCleaningError: (error: unknown) => void
  readonly #cleaning = new Set<Promise<void>>()

  constructor({ connection, prefix = '', onCleaningError }: RedisLineOptions) {
    this.#scripts = new Scripts(connection, prefix)
    this.#onCleaningError = onCleaningError
  }

  join: Line['join'] = (at, requests) => join(this.#scripts, at, requests)
  look: Line['look'] = (at, questions) => look(this.#scripts, at, questions)
  heartbeat: Line['heartbeat'] = (at, numbers) => heartbeat(this.#scripts, at, numbers)
  sweep: Line['sweep'] = (at, limit) => sweep(this.#scripts, at, limit)
  admit: Line['admit'] = (at, limit) => admit(this.#scripts, at, limit)
  enter: Line['enter'] = (at, requests) => enter(this.#scripts, at, requests)
  end: Line['end'] = (at, requests) => end(this.#scripts, at, requests)
  extend: Line['extend'] = (at, requests) => extend(this.#scripts, at, requests)
  move: Line['move'] = (at, requests) => move(this.#scripts, at, requests)
  adopt: Line['adopt'] = (at, requests) => adopt(this.#scripts, at, requests)
  check: Line['check'] = (at, questions) => check(this.#scripts, at, questions)
  take: Line['take'] = (at, requests) => take(this.#scripts, at, requests)
  settle: Line['settle'] = (at, settlement) => settle(this.#scripts, at, settlement)
  restore: Line['restore'] = (at, requests) => restore(this.#scripts, at, requests)
  change: Line['change'] = (at, wanted) => change(this.#scripts, at, wanted)
  seal: Line['seal'] = (at) => seal(this.#scripts, at)
  rearrange: Line['rearrange'] = (at, places) => rearrange(this.#scripts, at, places)
  reveal: Line['reveal'] = (at, revealing) => reveal(this.#scripts, at, revealing)
  now: Line['now'] = (at) => now(this.#scripts, at)
  range: Line['range'] = (at, fromRank, toRank) => range(this.#scripts, at, fromRank, toRank)
  present: Line['present'] = (at, fromNumber) => present(this.#scripts, at, fromNumber)
  floor: Line['floor'] = (at, limit) => floor(this.#scripts, at, limit)
  readLog: Line['readLog'] = (at, afterSeq, options) => readLog(this.#scripts, at, afterSeq, options)
  trim: Line['trim'] = (at, upToSeq, keep = 0) => trim(this.#scripts, at, upToSeq, keep)
  epochOf: Line['epochOf'] = (room) => epochOf(this.#scripts, room)
  drop: Line['drop'] = (room) => drop(this.#scripts, room)

  beginLoad(room: string, epoch: number, state: RoomState): Promise<void> {
    return beginLoad(this.#scripts, { room, epoch }, state)
  }

  loadTickets(room: string, epoch: number, tickets: readonly LoadedTicket[]): Promise<void> {
    return loadTickets(this.#scripts, { room, epoch }, tickets)
  }

  /** Earlier epochs are removed in the background; the caller does not wait for it. */
  async finishLoad(room: string, epoch: number, corrections: readonly Corrected[] = []): Promise<void> {
    await finishLoad(this.#scripts, { room, epoch }, corrections)
    const cleaning = forgetEarlier(this.#scripts, { room, epoch })
      .catch(this.#onCleaningError)
      .finally(() => this.#cleaning.delete(cleaning))
    this.#cleaning.add(cleaning)
  }

  async close(): Promise<void> {
    await Promise.all(this.#cleaning)
    await this.#scripts.connection.close()
  }
}
