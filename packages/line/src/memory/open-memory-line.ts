import type { AdmitLimit, Line, RoomAt, RoomChange } from '../contract.ts'
import { LineLost } from '../contract.ts'
import type { Corrected, LogEntry } from '../log-entry.ts'
import type { LoadedTicket, RoomState } from '../room-state.ts'
import { type Commit, CommitQueue, type Pause, pauseFor } from './commit-queue.ts'
import type { Room } from './state/room.ts'
import { admit } from './steps/admit.ts'
import { adopt } from './steps/adopt.ts'
import { change } from './steps/change.ts'
import { check } from './steps/check.ts'
import { end } from './steps/end.ts'
import { enter } from './steps/enter.ts'
import { extend } from './steps/extend.ts'
import { heartbeat } from './steps/heartbeat.ts'
import { join } from './steps/join.ts'
import { beginLoading, finishLoading, type Loading, loadInto } from './steps/load.ts'
import { look } from './steps/look.ts'
import { move } from './steps/move.ts'
import { readPresent } from './steps/present.ts'
import { readLog } from './steps/read-log.ts'
import { readFloor, readNow, readRange } from './steps/read-room.ts'
import { rearrange } from './steps/rearrange.ts'
import { restore } from './steps/restore.ts'
import { reveal } from './steps/reveal.ts'
import { seal } from './steps/seal.ts'
import { settle } from './steps/settle.ts'
import { sweep } from './steps/sweep.ts'
import { take } from './steps/take.ts'
import { trim } from './steps/trim.ts'

export interface MemoryLineOptions {
  /** Milliseconds; the store's clock. */
  clock: () => number
  /** Makes log entries durable; a step is answered only afterwards. Without it no entry is durable. */
  commit?: Commit
  /** How a failed commit waits before its retry. */
  pause?: Pause
}

/** The line of every room in this process. */
export function openMemoryLine(options: MemoryLineOptions): Line {
  return new MemoryLine(options)
}

interface OpenRoom {
  readonly room: Room
  readonly commits: CommitQueue
}

class MemoryLine implements Line {
  readonly #clock: () => number
  readonly #commit: Commit | null
  readonly #pause: Pause
  readonly #rooms = new Map<string, OpenRoom>()
  readonly #loading = new Map<string, Map<number, Loading>>()
  #isClosed = false

  constructor({ clock, commit, pause = pauseFor }: MemoryLineOptions) {
    this.#clock = clock
    this.#commit = commit ?? null
    this.#pause = pause
  }

  join: Line['join'] = (at, requests) => this.#stepEach(at, requests, join)
  look: Line['look'] = (at, questions) => this.#stepEach(at, questions, look)
  enter: Line['enter'] = (at, requests) => this.#stepEach(at, requests, enter)
  end: Line['end'] = (at, requests) => this.#stepEach(at, requests, end)
  extend: Line['extend'] = (at, requests) => this.#stepEach(at, requests, extend)
  move: Line['move'] = (at, requests) => this.#stepEach(at, requests, move)
  adopt: Line['adopt'] = (at, requests) => this.#stepEach(at, requests, adopt)
  check: Line['check'] = (at, questions) => this.#stepEach(at, questions, check)
  take: Line['take'] = (at, requests) => this.#step(at, (room) => take(room, requests))
  settle: Line['settle'] = (at, settlement) => this.#step(at, (room) => settle(room, settlement))
  restore: Line['restore'] = (at, requests) => this.#stepEach(at, requests, restore)
  heartbeat: Line['heartbeat'] = (at, numbers) => this.#step(at, (room) => heartbeat(room, numbers))
  sweep: Line['sweep'] = (at, limit) => this.#step(at, (room) => sweep(room, limit))
  admit: Line['admit'] = (at, limit: AdmitLimit) => this.#step(at, (room) => admit(room, limit))
  change: Line['change'] = (at, wanted: RoomChange) => this.#step(at, (room) => change(room, wanted))
  seal: Line['seal'] = (at) => this.#step(at, seal)
  rearrange: Line['rearrange'] = (at, places) => this.#step(at, (room) => rearrange(room, places))
  reveal: Line['reveal'] = (at, revealing) => this.#step(at, (room) => reveal(room, revealing))
  now: Line['now'] = (at) => this.#step(at, readNow)
  present: Line['present'] = (at, fromNumber) => this.#step(at, (room) => readPresent(room, fromNumber))
  floor: Line['floor'] = (at, limit) => this.#step(at, (room) => readFloor(room, limit))
  range: Line['range'] = (at, fromRank, toRank) => this.#step(at, (room) => readRange(room, fromRank, toRank))

  async readLog(at: RoomAt, afterSeq: number, options: { limit: number; waitMs: number }): Promise<LogEntry[]> {
    const { room, commits } = this.#openRoom(at)
    const entries = await readLog(room, commits, afterSeq, options)
    // The room may have been replaced while we waited.
    if (entries.length === 0 && !this.#isClosed) this.#openRoom(at)
    return entries
  }

  async trim(at: RoomAt, upToSeq: number, keep = 0): Promise<void> {
    const { room, commits } = this.#openRoom(at)
    await commits.through(Math.min(upToSeq, room.seq))
    trim(room, upToSeq, keep)
  }

  async epochOf(room: string): Promise<number | null> {
    return this.#rooms.get(room)?.room.epoch ?? null
  }

  async beginLoad(room: string, epoch: number, state: RoomState): Promise<void> {
    this.#assertOpen()
    const open = this.#rooms.get(room)
    if (open !== undefined && open.room.epoch >= epoch) throw new LineLost(room, 'other-epoch')
    const loading = this.#loading.get(room) ?? new Map<number, Loading>()
    this.#loading.set(room, loading.set(epoch, beginLoading(room, epoch, state)))
  }

  async loadTickets(room: string, epoch: number, tickets: readonly LoadedTicket[]): Promise<void> {
    const loading = this.#loading.get(room)?.get(epoch)
    if (loading === undefined) throw new LineLost(room, 'missing')
    loadInto(loading, tickets)
  }

  async finishLoad(room: string, epoch: number, corrections: readonly Corrected[] = []): Promise<void> {
    const earlier = this.#rooms.get(room)
    if (earlier !== undefined && earlier.room.epoch > epoch) throw new LineLost(room, 'other-epoch')
    if (earlier?.room.epoch !== epoch) this.#replace(room, epoch, earlier, corrections)
    const { room: loaded, commits } = this.#openRoom({ room, epoch, seenSeq: 0 })
    await commits.through(loaded.seq)
  }

  async drop(room: string): Promise<void> {
    this.#loading.delete(room)
    this.#rooms.get(room)?.commits.abandon(new LineLost(room, 'missing'))
    this.#rooms.delete(room)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await Promise.all([...this.#rooms.values()].map(({ commits }) => commits.close()))
  }

  #stepEach<Request, Reply>(
    at: RoomAt,
    requests: readonly Request[],
    act: (room: Room, request: Request) => Reply,
  ): Promise<Reply[]> {
    return this.#step(at, (room) => requests.map((request) => act(room, request)))
  }

  /** Runs one step, and answers when everything the answer may show is durable. Rule L34. */
  async #step<Reply>(at: RoomAt, act: (room: Room) => Reply): Promise<Reply> {
    const { room, commits } = this.#openRoom(at)
    const reply = act(room)
    await commits.through(room.seq)
    return reply
  }

  /** The room, with its clock moved to now. Throws LineLost when its state cannot be trusted. Rules L23 and L27. */
  #openRoom({ room: id, epoch, seenSeq }: RoomAt): OpenRoom {
    this.#assertOpen()
    const open = this.#rooms.get(id)
    if (open === undefined) throw new LineLost(id, 'missing')
    if (open.room.epoch !== epoch) throw new LineLost(id, 'other-epoch')
    if (open.room.seq < seenSeq) throw new LineLost(id, 'regressed')
    open.room.now = Math.max(open.room.now, this.#clock())
    return open
  }

  #replace(id: string, epoch: number, earlier: OpenRoom | undefined, corrections: readonly Corrected[]): void {
    this.#assertOpen()
    const loads = this.#loading.get(id)
    const loading = loads?.get(epoch)
    if (loads === undefined || loading === undefined) throw new LineLost(id, 'missing')
    const now = Math.max(this.#clock(), earlier?.room.now ?? 0)
    const room = finishLoading(loading, now, corrections)
    for (const other of loads.keys()) if (other <= epoch) loads.delete(other)
    this.#rooms.set(id, { room, commits: new CommitQueue(room, this.#commit, this.#pause) })
    earlier?.commits.abandon(new LineLost(id, 'other-epoch'))
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('The line is closed')
  }
}
