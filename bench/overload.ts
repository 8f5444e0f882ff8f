import { measureOverload, type Overload } from './support/measure-overload.ts'
import { onServers } from './support/on-servers.ts'
import { writeSection } from './support/results.ts'
import { atLeast, atMost, perSecond, type Row, tableOf, told } from './support/table.ts'

/*
 * node bench/overload.ts
 *
 * Whether as much gets done when 2, 5, 10 and 50 times as many people want it as can be served, all of whom try again at
 * once; and how soon all is well again after a spike. About two minutes; keeps the table.
 */

const NOTES = `One server process; the driver, Redis and PostgreSQL (durable) share its cores. People book one seat after the other, each
a seat of its own, and send a refused booking again at once, whatever they are told. Goodput are bookings that were
made within two seconds of being wanted; whoever has waited for longer is gone, and the next one comes. The first second, in which
all come at the same moment, is not counted. Each step has a house of its own; the guests of all earlier ones are still inside.`

const { steps, recoveredMs } = await onServers(measureOverload)
const lines = [...tableOf(rowsOf(steps, recoveredMs)), '', ...stepTable(steps)]
console.log(lines.join('\n'))
writeSection('Overload', [...lines, '', NOTES])
if (rowsOf(steps, recoveredMs).some(({ isMet }) => !isMet)) process.exitCode = 1

function rowsOf(measured: Overload['steps'], recovered: number): Row[] {
  const peak = Math.max(...measured.map(({ goodput }) => goodput))
  return [
    ...measured.map(({ times, goodput }) => {
      const row = {
        what: `goodput at ${times}× ÷ peak`,
        measured: perSecond(goodput),
        ceiling: perSecond(peak),
        figure: goodput / peak,
      }
      return times === 10 ? atLeast(0.9, row) : told(row)
    }),
    atMost(5_000, { what: 'after a spike of 50×, all well again within ms', figure: recovered, digits: 0 }),
  ]
}

function stepTable(measured: Overload['steps']): string[] {
  return [
    '| people, of those that keep it busy | booked in time/s | refused or too late/s | p50 ms | p99 ms |',
    '| --- | --- | --- | --- | --- |',
    ...measured.map(
      ({ times, goodput, refusedPerSecond, p50, p99 }) =>
        `| ${times}× | ${Math.round(goodput).toLocaleString('en')} | ${Math.round(refusedPerSecond).toLocaleString('en')} | ${p50.toFixed(0)} | ${p99.toFixed(0)} |`,
    ),
  ]
}
