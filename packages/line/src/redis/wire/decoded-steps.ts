import type { LogEntry } from '../../log-entry.ts'
import { decodeChange } from './decode-change.ts'
import { textIn, textsIn } from './reply.ts'

/** What this server's two readers of a log may lie apart; a step has at most some hundred entries. */
const STEPS_MAX = 64

interface Step {
  readonly at: string
  readonly changes: string
  readonly entries: readonly LogEntry[]
}

/**
 * Reads steps of the log. Each is read twice on every server, for the picture of the room and for the ledger, and taken
 * apart once: the second reader gets the same entries, if what Redis sent is the same to the letter. Then they are
 * forgotten: kept on, the last seconds of a rush would grow old in memory, which is what garbage collection is slow at.
 */
export class DecodedSteps {
  /** Null for steps that both have read. */
  readonly #recent = new Map<string, Step | null>()

  /** The entries of one step, as the stream has it; its id is the seq of the last one. */
  entriesOf(log: string, [id, fields]: unknown[]): readonly LogEntry[] {
    const [, at = '', , changes = ''] = textsIn(fields)
    const key = `${log} ${textIn(id)}`
    const known = this.#recent.get(key)
    if (known !== undefined) this.#recent.set(key, null)
    if (known && known.at === at && known.changes === changes) return known.entries
    const entries = decode(textIn(id), at, changes)
    if (known === undefined) this.#remember(key, { at, changes, entries })
    return entries
  }

  #remember(key: string, step: Step): void {
    this.#recent.set(key, step)
    const [oldest] = this.#recent.size > STEPS_MAX ? this.#recent.keys() : []
    if (oldest !== undefined) this.#recent.delete(oldest)
  }
}

function decode(id: string, at: string, changes: string): LogEntry[] {
  const [epoch = 0, lastSeq = 0] = id.split('-').map(Number)
  const lines = changes.split('\n')
  let before: LogEntry | null = null
  return lines.map((line, index) => {
    const { operation, change } = decodeChange(line, before?.change ?? null)
    before = { epoch, seq: lastSeq - lines.length + 1 + index, at: Number(at), operation, change }
    return before
  })
}
