/** Values and constraints the database refused, and our own mistakes; not a ledger that is away or overloaded. */
export function isAboutTheWork(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (error instanceof TypeError || error instanceof RangeError) return true
  return 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code)
}

/** For work that was done together and can be done one by one. */
export function nothingIfAboutTheWork(error: unknown): null {
  if (isAboutTheWork(error)) return null
  throw error
}
