import { randomUUID } from 'node:crypto'
import type { ClientRecord, HistoryRecord } from '@seatwise/checker'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import { type Line, LineLost, openRedisLine, type RedisConnection, type RoomAt } from '@seatwise/line'
import { seededRandom } from '@seatwise/testbench'
import { ModelLedger } from './model-ledger.ts'
import { type PatchedConnection, patchConnection, type ScriptPatch } from './patched-connection.ts'
import { Schedule } from './schedule.ts'

export interface RoomOptions {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly seed: number
  readonly patches?: readonly ScriptPatch[]
  /** Nothing is lost, late or repeated. */
  readonly isCalm?: boolean
}

/** Far ahead of any real clock, so that it is never overtaken by one. */
const START_MS = Date.UTC(2040, 0, 1)
const SEATS = 7
const SETTINGS = {
  ...ROOM_DEFAULTS,
  ...{ capacity: 3, ratePerMinute: 60, burst: 2, claimSeconds: 8, sessionSeconds: 20, reservationSeconds: 10 },
  ...{ heartbeatTimeoutSeconds: 8, graceSeconds: 6 },
}
const SERVERS = 3
const ANSWER_MS_MAX = 2_000

/** One server, as far as the line knows it: what it has seen, and whether it is still the one that asked. */
export interface SimulatedServer {
  readonly name: string
  life: number
  epoch: number
  seenSeq: number
  isDown: boolean
}

/** A room on a real Redis with several servers around it; every call goes through a network that a seed rules. */
export class SimulatedRoom {
  readonly id: string
  readonly line: Line
  readonly ledger: ModelLedger
  readonly schedule = new Schedule(START_MS)
  readonly random: () => number
  readonly servers: readonly SimulatedServer[]
  readonly witness = new Map<string, number>()
  readonly #clients: HistoryRecord[] = []
  readonly #connection: PatchedConnection
  readonly #isCalm: boolean
  #calls = 0

  constructor({ connection, prefix, seed, patches, isCalm = false }: RoomOptions) {
    this.id = `room-${seed}-${randomUUID()}`
    this.#connection = patchConnection(connection, `${prefix}clock:${this.id}`, patches)
    this.line = openRedisLine({ connection: this.#connection, prefix, onCleaningError: () => undefined })
    this.random = seededRandom(seed)
    this.ledger = new ModelLedger(this.id, SEATS, START_MS)
    this.servers = Array.from({ length: SERVERS }, (_, index) => {
      return { name: `server-${index}`, life: 0, epoch: 0, seenSeq: 0, isDown: false }
    })
    this.#isCalm = isCalm
  }

  get settings(): typeof SETTINGS {
    return SETTINGS
  }

  get records(): HistoryRecord[] {
    const fault = { record: 'fault', fault: 'network', target: 'redis', phase: 'begin' } as const
    const faults = this.#isCalm ? [] : [{ ...fault, monotonicMs: START_MS, atMs: START_MS }]
    return [...faults, ...this.ledger.records, ...this.#clients]
  }

  unusedPatches(): readonly ScriptPatch[] {
    return this.#connection.unused()
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low)
  }

  /** Something the simulation is proud to have met. */
  saw(what: string): void {
    this.witness.set(what, (this.witness.get(what) ?? 0) + 1)
  }

  anyServer(): SimulatedServer {
    const up = this.servers.filter(({ isDown }) => !isDown)
    const server = up[Math.floor(this.random() * up.length)]
    if (server === undefined) throw new Error('All servers are down')
    return server
  }

  at({ epoch, seenSeq }: SimulatedServer): RoomAt {
    return { room: this.id, epoch, seenSeq }
  }

  /**
   * Sends one step from a server to the line. Depending on chance it is applied soon, late, twice or never, and its
   * answer comes or does not: then `heard` gets null, as it does when the line was lost.
   */
  send<Reply extends { seq: number } | null>(
    server: SimulatedServer,
    step: (at: RoomAt) => Promise<Reply>,
    heard: (reply: Reply | null) => void,
  ): void {
    const at = this.at(server)
    const { life } = server
    const fate = this.#isCalm ? 1 : this.random()
    const copies = fate < 0.03 ? 0 : fate < 0.08 ? 2 : 1
    const isLate = fate >= 0.08 && fate < 0.11
    const isReplyLost = copies === 0 || isLate || (fate >= 0.11 && fate < 0.15)
    if (fate < 0.15)
      this.saw(copies === 0 ? 'request lost' : copies === 2 ? 'repeated' : isLate ? 'late' : 'reply lost')
    let isAnswered = false
    const answer = (reply: Reply | null): void => {
      if (isAnswered) return
      isAnswered = true
      if (server.life === life) heard(reply)
      // A visitor of a dead server hears nothing, and asks another one.
      else this.schedule.after(ANSWER_MS_MAX, () => heard(null))
    }
    for (let copy = 0; copy < copies; copy += 1) {
      const delay = isLate ? this.between(2_000, 15_000) : this.between(1, 40) * (copy + 1)
      this.schedule.after(delay, async () => {
        const reply = await this.apply(server, { life, epoch: at.epoch }, () => step(at))
        if (!isReplyLost) this.schedule.after(this.between(1, 20), () => answer(reply))
      })
    }
    if (isReplyLost) this.schedule.after(ANSWER_MS_MAX, () => answer(null))
  }

  /** Runs a step at this instant; null when the line was lost, which the server then mends. */
  async apply<Reply extends { seq: number } | null>(
    server: SimulatedServer,
    { life, epoch }: { life: number; epoch: number },
    step: () => Promise<Reply>,
  ): Promise<Reply | null> {
    this.#connection.setClock(this.schedule.nowMs)
    try {
      const reply = await step()
      if (reply !== null && server.life === life && server.epoch === epoch) {
        server.seenSeq = Math.max(server.seenSeq, reply.seq)
      }
      return reply
    } catch (error) {
      if (!(error instanceof LineLost)) throw error
      this.saw(`lost: ${error.why}`)
      await this.#mend(server, epoch)
      return null
    }
  }

  /** Rebuilds the line under the next epoch, unless another server has done so since. */
  async #mend(server: SimulatedServer, lostEpoch: number): Promise<void> {
    if (lostEpoch === this.ledger.epoch) await this.rebuild(`found by ${server.name}`)
    this.#attach(server)
  }

  async rebuild(reason: string): Promise<void> {
    this.#connection.setClock(this.schedule.nowMs)
    const { epoch, nextNumber, lastPlaces, passedPlace, tickets, corrections } = this.ledger.beginEpoch()
    if (epoch > 1) this.saw('rebuilt')
    const { version: stockVersion, stock, heldSeats } = this.ledger.counts()
    await this.line.beginLoad(this.id, epoch, {
      ...{ settings: SETTINGS, paused: false, message: null, opensAt: 0, closesAt: START_MS * 2 },
      ...{
        stock,
        heldSeats,
        stockVersion,
        nextNumber,
        marks: this.ledger.marks,
        lastPlaces,
        passedPlace,
        usedCodes: [],
      },
      ...{ logMax: 100_000, followWithinMs: null, reason },
    })
    if (tickets.length > 0) await this.line.loadTickets(this.id, epoch, tickets)
    await this.line.finishLoad(this.id, epoch, corrections)
    for (const { state } of corrections) this.saw(`corrected: ${state}`)
  }

  /** The ledger takes over what the line has logged, and the line forgets what it no longer needs. */
  async follow(server: SimulatedServer): Promise<void> {
    this.#attach(server)
    await this.apply(server, server, async () => {
      const entries = await this.line.readLog(this.at(server), this.ledger.seq, { limit: 1_000, waitMs: 0 })
      if (!this.ledger.copy(entries)) throw new LineLost(this.id, 'regressed')
      if (entries.length > 0) await this.line.trim(this.at(server), this.ledger.seq)
      return null
    })
  }

  /** Writes down what a client asked; the answer is written by what this returns. */
  record(client: string, action: string, asked: Partial<ClientRecord> = {}) {
    this.#calls += 1
    const head = { record: 'client', client, call: String(this.#calls), action, room: this.id, ...asked } as const
    this.#clients.push({ ...head, phase: 'invoke', monotonicMs: this.schedule.nowMs })
    return (phase: 'ok' | 'fail' | 'info', told: Partial<ClientRecord> = {}): void => {
      this.#clients.push({ ...head, ...told, phase, monotonicMs: this.schedule.nowMs })
    }
  }

  async close(): Promise<void> {
    await this.line.drop(this.id)
  }

  #attach(server: SimulatedServer): void {
    if (server.epoch === this.ledger.epoch) return
    server.epoch = this.ledger.epoch
    server.seenSeq = 0
  }
}
