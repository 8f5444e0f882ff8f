import type { Flow } from '@seatwise/ledger'
import { describe, expect, test } from 'vitest'
import { drawCharts, soldPerMinute } from '../../src/operators/charts/draw-charts.ts'
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

  test('[W63] estimates are compared with what happened', () => {
    const chart = new RoomChart()
    // One a second is let in, and twenty come at once: the last is promised about twenty seconds, and waits thirty.
    // There is room for all of them, so no visitor has to leave first.
    chart.add([{ ...opened, capacity: 40 }, flow(1, { arrived: 20 }), flow(16, { admitted: 1, waitedMs: 30_000 })])
    chart.goOn(START + 30 * FINE_STEP_MS)
    const errors = fine(chart).flatMap(({ estimateError }) => (estimateError === null ? [] : [estimateError]))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toBeCloseTo(1 / 3, 1)
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
    const drawn = drawCharts({ chart, seatFlows }, FINE_STEP_MS, 0)
    expect([drawn.held, drawn.sold]).toEqual([
      [3, 1, 1],
      [0, 2, 2],
    ])
    expect(soldPerMinute(seatFlows, START + 10_000)).toBeCloseTo(0.4)
  })
})
