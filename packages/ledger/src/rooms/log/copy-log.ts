import { hash } from 'node:crypto'
import { faults, type Joined, type LogEntry } from '@seatwise/domain'
import { type Call, inTransaction, type Primary, prepareStatement, type Transaction } from '../../engine/index.ts'
import { canonical, fromStored, type StoredEntry } from './canonical.ts'
import { patchesToMake } from './patch-tickets.ts'
import { projectTickets } from './project-tickets.ts'
import { type GrownTree, growTree, hashLeaf, type TreeRow } from './tree/grow-tree.ts'

export type CopyReply =
  /** Everything given is in the ledger, whether this call wrote it or an earlier one did. */
  | { status: 'copied'; seq: number }
  /** The ledger has moved on: nothing of the old epoch is accepted any more. */
  | { status: 'other-epoch'; epoch: number }
  /** Entries between the ledger's last one and these are missing. */
  | { status: 'gap'; seq: number }
  /** The ledger has another entry under the same `seq`: the line lost its data and continued. */
  | { status: 'conflict'; seq: number }

/**
 * Copies consecutive entries of a room's log into the ledger and keeps `queue_entries` in step, all in one transaction.
 * Entries the ledger already has are recognised and not written again, so the copier may die at any point. A caller that
 * read the ledger's last entry again, to check that it is still the same, says so: it is then read together with the lock.
 */
export async function copyLog(
  ledger: Primary,
  room: string,
  entries: readonly LogEntry[],
  { isFirstKnown = false }: { isFirstKnown?: boolean } = {},
): Promise<CopyReply> {
  const first = entries[0]
  const last = entries.at(-1)
  if (first === undefined || last === undefined) throw new RangeError('There are no entries to copy')
  if (last.seq - first.seq !== entries.length - 1) throw new RangeError('There are gaps between the entries to copy')
  return await inTransaction(ledger, async (transaction) => {
    const { row, copied } = await lockRoom(transaction, room, isFirstKnown ? [first] : [])
    if (row.epoch !== first.epoch) return { status: 'other-epoch', epoch: row.epoch }
    if (row.seq < first.seq - 1) return { status: 'gap', seq: row.seq }
    const known = entries.find(({ seq }) => seq === row.seq)
    if (known !== undefined) {
      const stored = copied?.seq === known.seq ? copied : await readEntry(transaction, room, known)
      if (!isTheSame(stored, known)) return { status: 'conflict', seq: row.seq }
    }
    const fresh = entries.filter(({ seq }) => seq > row.seq)
    if (fresh.length > 0) await write(transaction, room, fresh, row)
    return { status: 'copied', seq: Math.max(row.seq, last.seq) }
  })
}

const LOCK_ROOM = prepareStatement(import.meta.url, 'lock-room.sql')
const READ_LOG_ENTRY = prepareStatement(import.meta.url, 'read-log-entry.sql')
const INSERT_LOG = prepareStatement(import.meta.url, 'insert-log.sql')
const INSERT_ENTRIES = prepareStatement(import.meta.url, 'insert-entries.sql')
const INSERT_WAITING = prepareStatement(import.meta.url, 'insert-waiting.sql')
const MARK_FOLLOWED = prepareStatement(import.meta.url, 'mark-followed.sql')

interface RoomRow extends TreeRow {
  epoch: number
  seq: number
  chain: string
}

/** The room's row, and what the ledger has under the seq of the given entry. */
async function lockRoom(transaction: Transaction, room: string, looked: readonly LogEntry[]) {
  const lock = { statement: LOCK_ROOM, parameters: [room, 'off'] }
  const calls = [lock, ...looked.map((entry) => toRead(room, entry))]
  const [[row], [copied] = []] = await transaction.together<[RoomRow[], ...StoredEntry[][]]>(calls)
  if (row === undefined) throw new Error(`The ledger has no room ${room}`)
  return { row, copied }
}

function toRead(room: string, { epoch, seq }: LogEntry): Call {
  return { statement: READ_LOG_ENTRY, parameters: [room, epoch, seq] }
}

async function readEntry(transaction: Transaction, room: string, entry: LogEntry) {
  const { statement, parameters } = toRead(room, entry)
  const [copied] = await transaction.run<StoredEntry>(statement, parameters)
  return copied
}

function isTheSame(copied: StoredEntry | undefined, entry: LogEntry): boolean {
  return copied !== undefined && canonical(fromStored(copied)) === canonical(entry)
}

async function write(
  transaction: Transaction,
  room: string,
  entries: readonly LogEntry[],
  row: RoomRow,
): Promise<void> {
  const texts = entries.map(canonical)
  const hashes = chainHashes(texts, row.chain)
  const tree = treeWith(room, row, texts)
  const { waiting, drawn, patches } = projectTickets(entries)
  const { calls: patching, check } = patchesToMake(room, patches)
  const epoch = entries[0]?.epoch
  const found = await transaction.together<unknown[][]>([
    ...patching,
    { statement: INSERT_LOG, parameters: [room, epoch, entries[0]?.seq, ...logColumns(entries), `{${hashes.join()}}`] },
    ...(drawn.length > 0 ? [{ statement: INSERT_ENTRIES, parameters: [room, JSON.stringify(drawn)] }] : []),
    ...(waiting.length > 0 ? [{ statement: INSERT_WAITING, parameters: [room, epoch, `[${waiting.join()}]`] }] : []),
    ...tree.calls,
    { statement: MARK_FOLLOWED, parameters: [room, entries.at(-1)?.seq, hashes.at(-1), tree.size, tree.peaks] },
  ])
  check(found)
  if (faults.on) await faults.reach('follow.before-commit')
}

function logColumns(entries: readonly LogEntry[]): string[] {
  return [
    `{${entries.map(({ at }) => at).join()}}`,
    `{${entries.map(quotedOperation).join()}}`,
    `{${entries.map(({ change }) => change.kind).join()}}`,
    // JSON has no line ends of its own. In an array all its quotes would be escaped, which takes longer than the rest.
    entries.map(storedBody).join('\n'),
  ]
}

/** Each hash covers the entry's public content and the hash before it. */
export function chainHashes(texts: readonly string[], chain: string): string[] {
  let previous = chain
  return texts.map((text) => {
    previous = hash('sha256', previous + text, 'hex')
    return previous
  })
}

/** A tree that is behind the copy is left as it is: `catchUpTree` brings it up in bounded steps. Rule N3. */
function treeWith(room: string, row: RoomRow, texts: readonly string[]): GrownTree {
  if (row.tree_size !== row.first_index + row.seq) return { size: row.tree_size, peaks: row.tree_peaks, calls: [] }
  return growTree(room, row, texts.map(hashLeaf))
}

function storedBody({ change }: LogEntry): string {
  if (change.kind === 'joined') return storedJoin(change)
  const { kind: _, ...body } = change
  return JSON.stringify(body)
}

/** JSON, put together by hand: a rush is thousands of these, and a serialiser takes three times as long. */
function storedJoin({ number, identity, class: ticketClass, place, rank, code, limitKey, shown }: Joined): string {
  const ordinary = `{"number":${number},"identity":${JSON.stringify(identity)},"class":${ticketClass},"place":${place},"rank":${rank}`
  if (code === null && limitKey === null && shown === null) return `${ordinary}}`
  const particular = {
    ...(code !== null && { code }),
    ...(limitKey !== null && { limitKey }),
    ...(shown !== null && { shown }),
  }
  return `${ordinary},${JSON.stringify(particular).slice(1)}`
}

/** An element of an array parameter. The driver would scan each for quotes, and almost all are this constant. */
function quotedOperation({ operation }: LogEntry): string {
  return operation === 'join' ? operation : `"${operation.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
