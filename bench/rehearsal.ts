import { type Rehearsal, rehearseDistributed, rehearseEmbedded, rowsOf } from './support/rehearse.ts'
import { writeSection } from './support/results.ts'
import { type Row, tableOf } from './support/table.ts'

/*
 * node bench/rehearsal.ts [embedded] [distributed]
 *
 * Rehearses a sale with churn, as an operator would, on a server of its own and on one with Redis and PostgreSQL: whether
 * it sells out exactly, whether every invariant held, how long joining took, and how far estimates were off. Without
 * arguments it does both, in less than five minutes, and writes the table to RESULTS.md.
 */

const REHEARSAL: Rehearsal = { visitors: 10_000, seats: 1_500, capacity: 200, secondsMax: 130 }
const PARTS = { embedded: rehearseEmbedded, distributed: rehearseDistributed } as const
const NOTES = `${REHEARSAL.visitors.toLocaleString('en')} visitors, seven of ten within six seconds, ${REHEARSAL.seats.toLocaleString('en')} seats; one in five goes away, some vanish, pay slowly, have
two tabs or are bots. The crowd, the server and its stores share the cores. Estimates are judged as \`seatwise verify\` does.`

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)
const wanted = asked.length === 0 ? Object.keys(PARTS).filter(isPart) : asked.filter(isPart)

const rows: Row[] = []
for (const part of wanted) rows.push(...rowsOf(part, REHEARSAL, await PARTS[part](REHEARSAL)))
const table = tableOf(rows)
console.log(table.join('\n'))
if (asked.length === 0) writeSection('Rehearsal', [...table, '', NOTES])
