import { type Change, type LogEntry, ROOM_DEFAULTS } from '@seatwise/domain'
import type { Flow } from '@seatwise/ledger'
import { describe, expect, test } from 'vitest'
import { drawCharts, soldPerMinute } from '../../src/operators/charts/draw-charts.ts'
import { EstimateErrors } from '../../src/operators/charts/estimate-errors.ts'
import { COARSE_STEP_MS, FINE_STEP_MS, RoomChart } from '../../src/operators/charts/room-chart.ts'

const START = 1_800_000_000_000
const flow = (steps: number, more: Partial<Flow> = {}): Flow => ({
  ...{ epoch: 1, at: START + steps * FINE_STEP_MS, entries: 1, seq: steps + 1 },
  ...{ waitingAtFirst: null, floorAtFirst: null, arrived: 0, back: 0, away: 0, admitted: 0, leftLine: 0, leftFloor: 0 },
  ...{ noShows: 0, waitedMs: 0, servedMs: 0, ratePerMinute: null, capacity: null, paused: null },
  ...more,
})
const opened = flow(0, { waitingAtFirst: 0, floorAtFirst: 0, ratePerMinute: 60, capacity: 10, paused: false })
const fine = (chart: RoomChart) => chart.points(FINE_STEP_MS, 0)

describe('the chart of a room', () => {
  test('[W63] levels follow what came and went, and stay where nothing happens', () => {
    const chart = new RoomChart()
    chart.add([opened, flow(1, { arrived: 5 }), flow(3, { admitted: 2, leftLine: 1 }), flow(4, { leftFloor: 1 })])
    chart.goOn(START + 6 * FINE_STEP_MS)
    expect(fine(chart).map(({ waiting, floor }) => [waiting, floor])).toEqual([
      ...[
        [0, 0],
        [5, 0],
        [5, 0],
        [2, 2],
        [2, 1],
        [2, 1],
        [2, 1],
      ],
    ])
  })

  test('[W63] what the ledger copied late still counts where it belongs', () => {
    const chart = new RoomChart()
    chart.add([opened])
    chart.goOn(START + 3 * FINE_STEP_MS)
    chart.add([flow(1, { arrived: 4 })])
    expect(fine(chart).map(({ waiting, arrived }) => [waiting, arrived])).toEqual([
      [0, 0],
      [4, 4],
      [4, 0],
      [4, 0],
    ])
  })

  test('[W63] a new epoch begins with what it says of itself', () => {
    const chart = new RoomChart()
    chart.add([
      opened,
      flow(1, { arrived: 9 }),
      { ...flow(2, { waitingAtFirst: 7, floorAtFirst: 1, arrived: 1 }), epoch: 2 },
    ])
    expect(fine(chart).at(-1)).toMatchObject({ waiting: 8, floor: 1 })
    expect(chart.position).toEqual({ epoch: 2, seq: 3 })
  })

  test('[W63] [V25] estimates are compared with what happened, and the sale has one figure', () => {
    const errors = new EstimateErrors()
    const settings = { ...ROOM_DEFAULTS, capacity: 40, ratePerMinute: 60, stockAware: false }
    const rules = { settings, paused: false, soldOut: false, opensAt: 0, closesAt: START * 2, stock: null }
    let seq = 0
    const entry = (atMs: number, change: Change): LogEntry => {
      seq += 1
      return { epoch: 1, seq, at: START + atMs, operation: 'test', change }
    }
    const joined = (number: number): LogEntry =>
      entry(1_000, {
        ...{ kind: 'joined', number, identity: `${number}`, class: 0, place: number, rank: number - 1 },
        ...{ code: null, limitKey: null, shown: null, profile: '{}' },
      })
    const admitted = (atMs: number, number: number): LogEntry =>
      entry(atMs, { kind: 'admitted', number, class: 0, fence: number, deadline: atMs, active: true })
    const opening: Change = { kind: 'opened', reason: 'opened', nextNumber: 1, waiting: 0, floor: 0, rules }
    errors.follow([entry(0, opening), ...Array.from({ length: 20 }, (_, index) => joined(index + 1))])
    // One a second may go in: the twentieth was told about twenty seconds, at most thirty-five, and waits thirty.
    errors.follow([admitted(31_000, 20)])
    expect(errors.at(FINE_STEP_MS, START + 30_000)).toBeCloseTo(1 / 3, 1)
    expect(errors.at(COARSE_STEP_MS, START)).toBeCloseTo(1 / 3, 1)
    expect(errors.at(FINE_STEP_MS, START)).toBe(null)
    expect(errors.figures()).toMatchObject({ judged: 1, knownShare: 1, withinP90: 1 })
    expect(errors.figures().medianError).toBeCloseTo(1 / 3, 1)
  })

  test('[W63] an hour is kept in steps of two seconds and a day in minutes, whatever the log holds', () => {
    const chart = new RoomChart()
    const hours = 30
    const flows = Array.from({ length: hours * 60 }, (_, minute) => flow(minute * 30, { arrived: 1, admitted: 1 }))
    chart.add([{ ...opened, ...flows[0], waitingAtFirst: 0, floorAtFirst: 0 }, ...flows.slice(1)])
    chart.goOn(START + hours * 3_600_000 + 10_000)
    expect(fine(chart)).toHaveLength(1_800)
    const coarse = chart.points(COARSE_STEP_MS, 0)
    expect(coarse).toHaveLength(1_440)
    expect(coarse.every(({ arrived, admitted }) => arrived === 1 && admitted === 1)).toBe(true)
    expect(coarse.at(-1)?.floor).toBe(hours * 60)
  })

  test('[W63] seats are drawn as they stood at the end of each step', () => {
    const chart = new RoomChart()
    chart.add([opened])
    chart.goOn(START + 2 * FINE_STEP_MS)
    const seatFlows = [
      { at: START - 60_000, held: 3, sold: 0 },
      { at: START + FINE_STEP_MS, held: -2, sold: 2 },
    ]
    const drawn = drawCharts({ chart, errors: new EstimateErrors(), seatFlows }, FINE_STEP_MS, 0)
    expect([drawn.held, drawn.sold]).toEqual([
      [3, 1, 1],
      [0, 2, 2],
    ])
    expect(soldPerMinute(seatFlows, START + 10_000)).toBeCloseTo(0.4)
  })
})
