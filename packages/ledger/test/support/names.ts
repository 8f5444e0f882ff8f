const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Short names for the ids of a sale, so that two sales in which the same happened can be compared. */
export class Names {
  readonly #names = new Map<string, string>()

  add(kind: string, ids: readonly string[]): this {
    for (const [index, id] of ids.entries()) this.#names.set(id, `${kind} ${index}`)
    return this
  }

  /** The ids whose names begin so. */
  idsOf(kind: string): string[] {
    return [...this.#names].filter(([, name]) => name.startsWith(kind)).map(([id]) => id)
  }

  /** As JSON, with names for the ids. Of times only the distance from the creation is the same in both sales. */
  of(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value ?? null), (key, part: unknown) => {
      if (key === 'at') return undefined
      if (key === 'paidAt') return part === null ? null : 'a time'
      if (typeof part === 'string') return part.replaceAll(UUID, (id) => this.#names.get(id) ?? id)
      if (typeof part !== 'object' || part === null || !('createdAt' in part)) return part
      const { createdAt, updatedAt: _, expiresAt, ...rest } = part as Record<string, string>
      const lasts = expiresAt === undefined ? {} : { lasts: Date.parse(expiresAt) - Date.parse(createdAt ?? '') }
      return { ...rest, ...lasts }
    })
  }
}
