import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { type ClientRecord, recordLine } from '@seatwise/checker'

/** Written in pieces of this size: small enough not to hold up visitors, large enough to be few. */
const PIECE_CHARACTERS = 256 * 1024
/** Our ids are at most 36 characters long, and all tokens are longer than this. */
const SECRET = /[\w-]{40,}(?:\.[\w-]+)*/g
const SECRETS_MAX = 8

/** Writes down what visitors asked and were told, for `seatwise verify`. */
export class Recorder {
  readonly #file: number
  #lines: string[] = []
  #characters = 0
  #calls = 0
  count = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  nextCall(): string {
    this.#calls += 1
    return this.#calls.toString(36)
  }

  write(record: ClientRecord): void {
    const line = recordLine(record)
    this.#lines.push(line)
    this.#characters += line.length
    this.count += 1
    if (this.#characters >= PIECE_CHARACTERS) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }

  #flush(): void {
    writeSync(this.#file, this.#lines.join(''))
    this.#lines = []
    this.#characters = 0
  }
}

/**
 * Fingerprints of every secret in an answer, wherever it stands: the records are there to be looked at, so the secrets
 * themselves are not in them.
 */
export function secretsIn(body: string): string[] {
  return (body.match(SECRET) ?? [])
    .slice(0, SECRETS_MAX)
    .map((secret) => createHash('sha256').update(secret).digest('base64url').slice(0, 16))
}
