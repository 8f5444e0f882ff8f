import type { LogEntry } from '../../log-entry.ts'
import { decodeChange } from './decode-change.ts'
import { textIn, textsIn } from './reply.ts'

/** The log entries of one stream entry: one for each line of its changes. Its id contains the seq of the last one. */
export function decodeStep([id, fields]: unknown[]): LogEntry[] {
  const [epoch = 0, lastSeq = 0] = textIn(id).split('-').map(Number)
  const [, at = '', , changes = ''] = textsIn(fields)
  const lines = changes.split('\n')
  let before: LogEntry | null = null
  return lines.map((line, index) => {
    const { operation, change } = decodeChange(line, before?.change ?? null)
    before = { epoch, seq: lastSeq - lines.length + 1 + index, at: Number(at), operation, change }
    return before
  })
}
