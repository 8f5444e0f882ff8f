import {
  type Carried,
  isInTime,
  LATENCY_MS_MAX,
  measurePeak,
  type PeakStep,
} from './support/box-office/measure-peak.ts'
import { onServers } from './support/on-servers.ts'
import { writeSection } from './support/results.ts'
import { atMost, perSecond, type Row, tableOf } from './support/table.ts'

/*
 * node bench/peak.ts
 *
 * Whether the server carries the load of a world cup's sale: views of an event and reservations of its seats at a fixed
 * rate. Three to five minutes; writes the table to RESULTS.md.
 */

const NOTES = `Measured once. One server process; the driver, Redis and PostgreSQL (durable) share its cores. A booking is one numbered seat
by a visitor who has joined the line and entered, each a seat of their own. Views and bookings come at a fixed rate and count
from the moment they were due, whether or not there was a free connection.`

const steps = await onServers(measurePeak)
// The step of a whole minute, if the short one succeeded.
const full = steps.findLast((step) => step.perSecond === steps[0]?.perSecond)
const rows = full === undefined ? [] : peakRows(full)
const lines = [...tableOf(rows), '', ...describe(steps)]
console.log(lines.join('\n'))
writeSection('Peak', [...lines, '', NOTES])

function peakRows({ perSecond: rate, seconds, views, bookings }: PeakStep): Row[] {
  const due = `${rate.toLocaleString('en')}/s`
  const row = (what: string, { perSecond: carried, p99 }: Carried): Row =>
    atMost(LATENCY_MS_MAX, { what, measured: perSecond(carried), ceiling: due, figure: p99, digits: 0 })
  const load = `under full load for ${seconds} s, p99 in ms`
  return [row(`views ${load}`, views), row(`bookings ${load}`, bookings)]
}

/** What was carried and where the time went. */
function describe(steps: readonly PeakStep[]): string[] {
  const inTime = steps.findLast(isInTime)
  return [
    inTime === undefined
      ? `No rate that was tried is carried with a p99 of ${LATENCY_MS_MAX} ms.`
      : `Carried for ${inTime.seconds} s with a p99 of ${LATENCY_MS_MAX} ms: ${inTime.perSecond.toLocaleString('en')} views and as many bookings a second.`,
    '',
    '| due each second, of both | seconds | views/s (p50, p99 ms) | bookings/s (p50, p99 ms) | cores kept busy |',
    '| --- | --- | --- | --- | --- |',
    ...steps.map(
      (step) =>
        `| ${step.perSecond.toLocaleString('en')} | ${step.seconds} | ${inWords(step.views)} | ${inWords(step.bookings)} | ${step.cores} |`,
    ),
  ]
}

function inWords({ perSecond: carried, p50, p99, trouble }: Carried): string {
  const late = trouble === '' ? '' : `; ${trouble}`
  return `${Math.round(carried).toLocaleString('en')} (${p50.toFixed(0)}, ${p99.toFixed(0)})${late}`
}
