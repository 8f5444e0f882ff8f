import { measureOverload, type OverloadStep } from './support/box-office/measure-overload.ts'
import { onServers } from './support/on-servers.ts'
import { writeSection } from './support/results.ts'
import { atLeast, atMost, perSecond, type Row, tableOf } from './support/table.ts'

/*
 * node bench/overload.ts
 *
 * Whether goodput holds when 2, 5, 10 and 50 times as many visitors come as the ledger can serve, and each retries at once
 * when refused; and how soon the server recovers after a spike. About two minutes; writes the table to RESULTS.md.
 */

const NOTES = `One server process on Redis and durable PostgreSQL, whose reservations are made to take 25 ms each inside their transaction:
the ledger is what is overloaded, and not the machine, which has to be the crowd as well. People come at a fixed rate, whoever
was served before them; each wants one booking, sends it again at once when it is refused, whatever they are told, and is gone
after two seconds. Goodput are bookings that were made in this time. Peak is the best of all steps. After the spike, all is well
when a whole second goes by in which nine in ten of the usual visitors, four fifths of what the ledger can do, are served in time.`

const { steps, recoveredMs } = await onServers(measureOverload)
const rows = rowsOf(steps, recoveredMs)
const lines = [...tableOf(rows), '', ...stepTable(steps)]
console.log(lines.join('\n'))
writeSection('Overload', [...lines, '', NOTES])

function rowsOf(measured: readonly OverloadStep[], recovered: number): Row[] {
  const peak = Math.max(...measured.map(({ goodput }) => goodput))
  return [
    ...measured.map(({ times, goodput }) =>
      atLeast(0.9, {
        what: `goodput at ${times}× ÷ peak`,
        measured: perSecond(goodput),
        ceiling: perSecond(peak),
        figure: goodput / peak,
      }),
    ),
    atMost(5_000, { what: 'after a spike of 50×, all well again within ms', figure: recovered, digits: 0 }),
  ]
}

function stepTable(measured: readonly OverloadStep[]): string[] {
  const whole = (figure: number): string => Math.round(figure).toLocaleString('en')
  return [
    '| people, of those it can serve | booked in time/s | booked too late/s | refusals/s | found no connection/s | p50 ms | p99 ms | cores kept busy |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...measured.map((step) => {
      const { times, goodput, tooLatePerSecond, refusalsPerSecond, lostPerSecond, p50, p99, cores } = step
      const figures = [tooLatePerSecond, refusalsPerSecond, lostPerSecond, p50, p99].map(whole)
      return `| ${[`${times}×`, goodput.toFixed(1), ...figures, cores].join(' | ')} |`
    }),
  ]
}
