import { randomInt } from 'node:crypto'
import { CODE_LIMITS, codeKey, SeatwiseError } from '@seatwise/domain'
import type { joining } from '@seatwise/ledger'
import { parseEmail } from '../../identity/index.ts'

/** As many lines as a body of 1 MB may have. */
export const INVITATIONS_MAX = 50_000
/** Without those that look like others: 60 bits in 12 symbols, as random codes of events have. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE_SYMBOLS = 12
const CODE_LENGTH_MIN = 8

/** The first column of a CSV file, or a plain list. A first line that names the column is left out, and so are empty lines. */
export function linesOf(text: string): string[] {
  const cells = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) =>
      (/^\s*"((?:[^"]|"")*)"/.exec(line)?.[1]?.replaceAll('""', '"') ?? line.split(/[,;\t]/)[0] ?? '').trim(),
    )
  const [first = ''] = cells
  return cells.slice(/^(e-?mail|address|email address|code)$/i.test(first) ? 1 : 0).filter((cell) => cell !== '')
}

/** What each line means, as it is hashed. Throws for the first line that is no code or address, and for too many. */
export function readList(kind: joining.InvitationKind, lines: readonly string[]): string[] {
  if (lines.length === 0) throw bad('The list is empty')
  if (lines.length > INVITATIONS_MAX) throw bad(`A list may have at most ${INVITATIONS_MAX} lines; send it in parts`)
  const read = lines.map((line, index) => {
    const key = kind === 'address' ? parseEmail(line)?.key : readCode(line)
    if (key === undefined) throw bad(`Line ${index + 1} is no ${kind === 'address' ? 'e-mail address' : 'code'}`)
    return key
  })
  return [...new Set(read)]
}

/** Short codes would be guessed, whatever limits there are. */
function readCode(line: string): string | undefined {
  const key = codeKey(line)
  return key.length < CODE_LENGTH_MIN || line.length > CODE_LIMITS.codeLength ? undefined : key
}

export function drawCodes(count: number): string[] {
  const symbol = () => SYMBOLS[randomInt(SYMBOLS.length)]
  return Array.from({ length: count }, () => Array.from({ length: CODE_SYMBOLS }, symbol).join(''))
}

function bad(message: string): SeatwiseError {
  return new SeatwiseError('BAD_REQUEST', { message })
}
