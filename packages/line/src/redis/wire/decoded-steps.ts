import type { LogEntry } from '../../log-entry.ts'
import { decodeChange } from './decode-change.ts'
import { textIn, textsIn } from './reply.ts'

/** How many steps this server's two readers of a log may be apart; a step has at most some hundred entries. */
const STEPS_MAX = 64

interface Step {
  readonly at: string
  readonly changes: string
  readonly entries: readonly LogEntry[]
}

/**
 * Decodes steps of the log, with a cache. Each step is read twice on every server, for the picture of the room and for the
 * ledger, and decoded once: the second reader gets the same entries, if Redis sent the same text. Then they are dropped;
 * kept longer, they would be promoted to the old generation, which is slow to collect.
 */
export class DecodedSteps {
  /** Null for steps that both readers have read. */
  readonly #recent = new Map<string, Step | null>()

  /** The entries of one stream entry; its id contains the seq of the last one. */
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
