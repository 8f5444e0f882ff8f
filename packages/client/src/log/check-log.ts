import type { Memory, News } from '../device/memory.ts'
import type { Parts } from '../place/prepare.ts'
import type { LogConflict, LogHead, LogReceipt } from '../types.ts'
import { isExtension, isIncluded } from './merkle.ts'

/** How often heads are compared at most: proofs are no part of a rush. */
const COMPARE_MS = 600_000
/** A joining is in a head within seconds, while the ledger is there; hidden tabs are looked at again. */
const PENDING_MS = 30_000

/** What a device keeps of the log that its ticket is in. */
export interface KeptLog {
  readonly ticketId: string
  readonly receipt: LogReceipt
  /** The latest head that was compared, and when. */
  readonly head: LogHead
  readonly comparedAt: number
  /** What was found and reported. */
  readonly conflict?: LogConflict
}

/**
 * Fetches the receipt of the ticket once and keeps it; later compares the latest head with the one that was kept. Two heads of
 * which neither extends the other are evidence that the log was rewritten: they are kept, reported and told. Returns when to
 * look again: null after that. Throws when the server cannot be reached; then nothing is known. Rules K93 and K94.
 */
export async function checkLog(
  parts: Parts,
  { room, position }: Memory,
  tell: (news: News) => void,
): Promise<number | null> {
  // Without a secure context there is nothing to hash with.
  if (globalThis.crypto?.subtle === undefined) return null
  const { kept, random, page } = parts
  // A hidden tab sends heartbeats only.
  if (page?.isHidden()) return PENDING_MS
  const before = kept.read().log
  const isKnown = before?.ticketId === position.ticketId
  const known = isKnown ? before : await fetchReceipt(parts, position.ticketId)
  if (known === null) return PENDING_MS
  const conflict = known.conflict ?? (await findConflict(parts, known, room?.head ?? null))
  if (conflict === null) return COMPARE_MS * (1 + random() / 5)
  tell({ kind: 'log', conflict })
  if (known.conflict === undefined) await report(parts, known, conflict)
  return null
}

async function findConflict(parts: Parts, known: KeptLog, latest: LogHead | null): Promise<LogConflict | null> {
  const { head, receipt, comparedAt } = known
  const now = parts.now()
  // A receipt that proves nothing is as good as a head of another log.
  const { entry, index, proof } = receipt
  if (!(await isIncluded(entry, index, receipt.head, proof.hashes))) return { heads: [receipt.head, receipt.head] }
  if (latest === null || (now - comparedAt < COMPARE_MS && latest.size !== head.size)) return null
  const conflict = await compare(parts, head, latest)
  if (conflict === null)
    parts.kept.write({ log: { ...known, head: latest.size > head.size ? latest : head, comparedAt: now } })
  return conflict
}

async function fetchReceipt({ send, room, kept, now }: Parts, ticketId: string): Promise<KeptLog | null> {
  const receipt = await send<LogReceipt | { readonly status: 'pending' }>('GET', `${room}/queue/receipt`)
  if ('status' in receipt) return null
  const log = { ticketId, receipt, head: receipt.head, comparedAt: now() }
  kept.write({ log })
  return log
}

async function compare({ send, room }: Parts, one: LogHead, other: LogHead): Promise<LogConflict | null> {
  const [from, to] = one.size <= other.size ? [one, other] : [other, one]
  const isSame = from.size === to.size
  const path = `${room}/queue/consistency?from=${from.size}&to=${to.size}`
  const { hashes } = isSame ? { hashes: [] } : await send<{ hashes: string[] }>('GET', path)
  return (await isExtension(from, to, hashes)) ? null : { heads: [from, to] }
}

/** Kept first: a server that lies may not answer. */
async function report({ send, room, kept }: Parts, known: KeptLog, conflict: LogConflict): Promise<void> {
  kept.write({ log: { ...known, conflict } })
  await send('POST', `${room}/queue/head/reports`, { body: conflict }).catch(() => undefined)
}
