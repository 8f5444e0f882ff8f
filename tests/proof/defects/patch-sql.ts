import pg from 'pg'

/** Replaces a piece of a statement by another; the piece must be there. */
export interface SqlPatch {
  readonly from: string
  readonly to: string
}

type Query = (this: unknown, config: unknown, ...rest: unknown[]) => unknown

/**
 * Runs something with a defect in the statements that this process sends to PostgreSQL. The product has no switch for
 * it: the text is changed where it leaves the process. Fails when no statement had the piece.
 */
export async function withSqlDefect<Result>(
  patches: readonly SqlPatch[],
  work: () => Promise<Result>,
): Promise<Result> {
  const original = pg.Client.prototype.query
  const used = new Set<SqlPatch>()
  const patch = (text: string): string =>
    patches.reduce((patched, each) => {
      if (!patched.includes(each.from)) return patched
      used.add(each)
      return patched.replaceAll(each.from, () => each.to)
    }, text)
  const patched: Query = function (config, ...rest) {
    if (typeof config === 'string') return Reflect.apply(original, this, [patch(config), ...rest])
    const isText = typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string'
    if (isText) return Reflect.apply(original, this, [{ ...config, text: patch(String(config.text)) }, ...rest])
    return Reflect.apply(original, this, [config, ...rest])
  }
  Object.assign(pg.Client.prototype, { query: patched })
  try {
    const result = await work()
    const unused = patches.filter((each) => !used.has(each))
    if (unused.length > 0) throw new Error(`No statement has ${JSON.stringify(unused.map(({ from }) => from))}`)
    return result
  } finally {
    Object.assign(pg.Client.prototype, { query: original })
  }
}
