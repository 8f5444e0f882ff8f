/** Replies of Redis are checked where they arrive: these are the shapes that scripts return. */
export function textsIn(reply: unknown): string[] {
  return listIn(reply).map(textIn)
}

export function listIn(reply: unknown): unknown[] {
  if (!Array.isArray(reply)) throw unexpected(reply, 'a list')
  return reply
}

export function textIn(reply: unknown): string {
  if (typeof reply !== 'string') throw unexpected(reply, 'text')
  return reply
}

export function numberIn(reply: unknown): number {
  if (typeof reply !== 'number') throw unexpected(reply, 'a number')
  return reply
}

/** Built only on failure: describing a reply takes longer than reading it. */
export function unexpected(reply: unknown, expected: string): Error {
  return new Error(`Redis answered ${JSON.stringify(reply)} instead of ${expected}`)
}
