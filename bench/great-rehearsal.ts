import { type Rehearsal, rehearseDistributed, rowsOf } from './support/rehearse.ts'
import { writeSection } from './support/results.ts'
import { tableOf, told } from './support/table.ts'

/*
 * node bench/great-rehearsal.ts
 *
 * A hundred thousand visitors and ten thousand seats, driven by one process, from the first join to the last visitor who
 * learns that all is sold. Less than five minutes; writes the table to RESULTS.md.
 */

const REHEARSAL: Rehearsal = { visitors: 100_000, seats: 10_000, capacity: 1_000, secondsMax: 180, connections: 16_000 }
const NOTES = `${REHEARSAL.visitors.toLocaleString('en')} visitors, seven of ten within six seconds, ${REHEARSAL.seats.toLocaleString('en')} seats, one server on Redis and durable PostgreSQL. The crowd,
the server and its stores share the cores, and one process is all of the crowd.`

const rehearsed = await rehearseDistributed(REHEARSAL)
const megabytes = (rehearsed.memory.driverBytesMax ?? Number.NaN) / 2 ** 20
const rows = [
  ...rowsOf('distributed', REHEARSAL, rehearsed),
  told({ what: 'from the first arrival to the last goodbye, s', figure: rehearsed.tookMs / 1_000, digits: 0 }),
  told({ what: 'memory of the crowd, MB', figure: megabytes, digits: 0 }),
]
const table = tableOf(rows)
console.log(table.join('\n'))
writeSection('Great rehearsal', [...table, '', NOTES])
