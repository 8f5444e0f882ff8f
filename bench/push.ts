import { onServers } from './support/on-servers.ts'
import { measurePush, SOCKETS } from './support/push/measure-push.ts'
import { writeSection } from './support/results.ts'
import { atLeast, atMost, perSecond, tableOf, told } from './support/table.ts'

/*
 * node bench/push.ts
 *
 * How soon the next in line knows that a slot is free while thousands listen, how fast a broadcast is compared with the
 * library alone, and what a connection costs.
 */

const NOTES = `Medians of three. One server process on Redis and durable PostgreSQL; they, the listeners and the measuring process share
the cores. A slot frees: from sending the request that leaves the floor to the message at the next visitor's socket, while
every move goes to all. The same messages sent by \`ws\` alone, in a loop, to as many sockets of the same listeners.`

const figures = await onServers(({ server }) => measurePush(server))
const many = SOCKETS.toLocaleString('en')
const { turnMs, broadcast, raw, ratio, cpuMicros, bytesPerSocket } = figures
const rows = [
  atMost(100, { what: `slot frees → the next client knows, p99, ms, ${many} sockets`, figure: turnMs.p99, digits: 1 }),
  told({ what: 'the same, p50, ms', figure: turnMs.p50, digits: 1 }),
  atLeast(0.8, {
    what: `broadcast messages to ${many} sockets ÷ raw ws sends`,
    measured: perSecond(broadcast),
    ceiling: perSecond(raw),
    figure: ratio,
  }),
  told({
    what: 'processor time for each of these messages, µs',
    measured: cpuMicros.ours.toFixed(1),
    ceiling: cpuMicros.raw.toFixed(1),
    figure: cpuMicros.ours / cpuMicros.raw,
  }),
  told({
    what: 'memory of a socket with two channels, KB (beside: a bare ws socket)',
    measured: (bytesPerSocket.ours / 1_024).toFixed(1),
    ceiling: (bytesPerSocket.raw / 1_024).toFixed(1),
    figure: bytesPerSocket.ours / 1_024,
    digits: 1,
  }),
]
const table = tableOf(rows)
console.log(table.join('\n'))
writeSection('Push', [...table, '', NOTES])
