import { measureFunnel, REQUESTS_PER_VISIT } from './support/measure-funnel.ts'
import { measureLosers } from './support/measure-losers.ts'
import { type Carried, isInTime, LATENCY_MS_MAX, measurePeak, type PeakStep } from './support/measure-peak.ts'
import { measureReservations } from './support/measure-reservations.ts'
import { onServers, type Servers } from './support/on-servers.ts'
import { writeSection } from './support/results.ts'
import { atLeast, atMost, perSecond, type Row, tableOf, told } from './support/table.ts'

/*
 * node bench/box-office.ts [reservations] [losers] [funnel] [peak]
 *
 * How many seats are reserved in a second, compared with rows inserted one by one; how fast those are turned away who
 * come too late; how many people a second get from the line to a paid seat; and whether the load of a world cup's sale
 * is carried. Without arguments it measures all of it, in five to ten minutes, and keeps the table.
 */

const PARTS = ['reservations', 'losers', 'funnel', 'peak'] as const
const NOTES = `Medians of three, of five for reservations; the peak once. One server process; the driver, Redis and PostgreSQL (durable) share
its cores. A reservation is one numbered seat by somebody who has joined the line and was let in, each a seat of their own, over
1,000 connections; the server follows the seat map by then, as whenever somebody looks at it, and answers count once the crowd,
which comes in one instant, has been served for 0.4 s. Rows are inserted for a second before and a second after. Losers are on
the floor, too; the no-op is the same server with the same hooks and headers, sent the same bytes, both over 400 connections. Views
and bookings come at a fixed rate and count from the moment they were due, whether or not there was a free connection.`

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !PARTS.some((part) => part === name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${PARTS.join(', ')}`)
const wants = (part: (typeof PARTS)[number]): boolean => asked.length === 0 || asked.includes(part)

const { rows, steps } = await onServers(measure)
const lines = [...tableOf(rows), ...(steps.length === 0 ? [] : ['', ...describe(steps)])]
console.log(lines.join('\n'))
if (asked.length === 0) writeSection('Box office', [...lines, '', NOTES])
if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1

async function measure(servers: Servers): Promise<{ rows: Row[]; steps: PeakStep[] }> {
  const { server, noOpUrl, ledger } = servers
  const rows: Row[] = []
  let reservationsMax = 0
  if (wants('reservations') || wants('peak')) {
    const { reservations, inserts, ratio } = await measureReservations(server, ledger)
    reservationsMax = reservations
    const rates = { measured: perSecond(reservations), ceiling: perSecond(inserts) }
    rows.push(atLeast(2, { what: 'reservations ÷ rows inserted one by one', ...rates, figure: ratio }))
  }
  if (wants('losers')) rows.push(...(await loserRows(server, noOpUrl)))
  if (wants('funnel')) {
    const { visits, noOps, ratio } = await measureFunnel(server, noOpUrl)
    const what = `visits from joining to having paid × ${REQUESTS_PER_VISIT} requests ÷ no-op POST`
    rows.push(told({ what, measured: `${visits.toFixed(0)} visits/s`, ceiling: perSecond(noOps), figure: ratio }))
  }
  const steps = wants('peak') ? await measurePeak(servers, reservationsMax) : []
  // For a minute, where it was carried for a moment.
  const full = steps.findLast((step) => step.perSecond === steps[0]?.perSecond)
  return { rows: [...rows, ...(full === undefined ? [] : peakRows(full))], steps }
}

async function loserRows(...parts: Parameters<typeof measureLosers>): Promise<Row[]> {
  const { losers, noOps, signedInNoOps, ratio, signedInRatio } = await measureLosers(...parts)
  const measured = perSecond(losers)
  return [
    atLeast(0.5, { what: 'losers turned away ÷ no-op POST', measured, ceiling: perSecond(noOps), figure: ratio }),
    atLeast(0.5, {
      what: 'losers turned away ÷ no-op POST that verifies the access token, too',
      measured,
      ceiling: perSecond(signedInNoOps),
      figure: signedInRatio,
    }),
  ]
}

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
