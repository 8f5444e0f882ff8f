import type { PlaceStorage } from './types.ts'

/** What survives a reload. Secrets of the visitor's own, and keys of calls whose outcome is not known yet. */
export interface KeptRecord {
  /** Tokens only where no HttpOnly cookie has them. */
  readonly ticketToken?: string
  /** Of a guest whom joining made: presenting it again is the same visitor. */
  readonly accessToken?: string
  readonly keys?: Readonly<Record<string, { readonly body: string; readonly key: string }>>
}

/** One record in the visitor's storage; in memory where there is none, or where it is full or forbidden. */
export class Kept {
  #storage: PlaceStorage | null
  readonly #name: string
  #memory: KeptRecord = {}

  constructor(storage: PlaceStorage | null, name: string) {
    this.#storage = storage
    this.#name = name
  }

  /** Read anew each time: another tab may have written. */
  read(): KeptRecord {
    try {
      if (this.#storage) this.#memory = JSON.parse(this.#storage.getItem(this.#name) ?? '{}')
    } catch {
      // Forbidden, or not ours: what memory has is better than nothing.
    }
    return this.#memory
  }

  write(change: KeptRecord): void {
    this.#store({ ...this.read(), ...change })
  }

  forget(field: keyof KeptRecord): void {
    const { [field]: _gone, ...rest } = this.read()
    this.#store(rest)
  }

  #store(record: KeptRecord): void {
    this.#memory = record
    try {
      this.#storage?.setItem(this.#name, JSON.stringify(record))
    } catch {
      // Full or forbidden: from now on memory alone is true.
      this.#storage = null
    }
  }

  /** The key under which this very call was begun and never answered, or a new one. One for each kind of call. */
  keyFor(kind: string, body: string, newKey: () => string): string {
    const { keys = {} } = this.read()
    const begun = keys[kind]
    if (begun?.body === body) return begun.key
    const key = newKey()
    this.write({ keys: { ...keys, [kind]: { body, key } } })
    return key
  }

  dropKey(kind: string): void {
    const { [kind]: _known, ...keys } = this.read().keys ?? {}
    this.write({ keys })
  }
}
