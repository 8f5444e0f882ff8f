import type { DrivenCrowd } from '../crowd/drive-crowd.ts'
import type { Measurements } from './measurements.ts'

export interface LiveViewOptions {
  readonly visitors: number
  readonly seats: number
  readonly isTerminal: boolean
  write(text: string): void
}

/** Where nothing can be redrawn, a line every so often is enough. */
const LINE_SECONDS = 5
const BAR_CHARACTERS = 32

/** Shows once a second how far the rehearsal is: redrawn in place on a terminal, as lines anywhere else. */
export class LiveView {
  readonly #options: LiveViewOptions
  readonly #crowd: DrivenCrowd
  #drawn = 0
  #shown = 0

  constructor(crowd: DrivenCrowd, options: LiveViewOptions) {
    this.#crowd = crowd
    this.#options = options
  }

  show(): void {
    this.#shown += 1
    const { isTerminal, write } = this.#options
    if (isTerminal) {
      const lines = this.#screen()
      write(`${this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A`}${lines.map((line) => `\x1b[2K${line}\n`).join('')}`)
      this.#drawn = lines.length
    } else if (this.#shown % LINE_SECONDS === 1) {
      write(`${this.#line()}\n`)
    }
  }

  #line(): string {
    const { measurements } = this.#crowd
    const { waiting, failed } = lastWhole(measurements)
    const join = measurements.latency.join.percentile(0.99)
    return [
      `${seconds(measurements)} s: ${count(measurements.arrived)} came, ${count(waiting ?? 0)} wait`,
      `${count(measurements.seatsBought)} of ${count(this.#options.seats)} seats bought`,
      `join p99 ${milliseconds(join)}, ${failed} failed in the last second`,
    ].join(', ')
  }

  #screen(): string[] {
    const { measurements } = this.#crowd
    const { visitors, seats } = this.#options
    const { latency, arrived, inside, seatsBought } = measurements
    const second = lastWhole(measurements)
    const p = (share: number, of: keyof typeof latency): string => milliseconds(latency[of].percentile(share))
    return [
      `rehearsal  ${seconds(measurements)} s, ${this.#crowd.openConnections()} connections`,
      `arrived    ${bar(arrived / visitors)} ${count(arrived)} of ${count(visitors)}`,
      `gone       ${bar((arrived - inside) / visitors)} ${count(arrived - inside)}`,
      `seats      ${bar(seatsBought / seats)} ${count(seatsBought)} of ${count(seats)}`,
      `room       ${count(second.waiting ?? 0)} wait, ${count(second.active ?? 0)} inside, ${count(second.remainingSeats ?? 0)} seats left`,
      `answers    ${count(second.good)}/s good, ${count(second.failed)}/s failed, ${count(second.admissions)}/s let in`,
      `join       p50 ${p(0.5, 'join')}  p99 ${p(0.99, 'join')}     poll p50 ${p(0.5, 'poll')}  p99 ${p(0.99, 'poll')}`,
      `reserve    p50 ${p(0.5, 'reserve')}  p99 ${p(0.99, 'reserve')}     pay  p50 ${p(0.5, 'pay')}  p99 ${p(0.99, 'pay')}`,
    ]
  }
}

/** The last second that is over. */
function lastWhole(measurements: Measurements) {
  const now = measurements.now()
  return measurements.seconds.at(-2) ?? now
}

function seconds({ startedAtMs }: Measurements): string {
  return ((performance.now() - startedAtMs) / 1_000).toFixed(0).padStart(4)
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_CHARACTERS)
  return `[${'█'.repeat(filled)}${' '.repeat(BAR_CHARACTERS - filled)}]`
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
}
