import assert from 'node:assert/strict'

/** Answers of Redis are parsed at once: these are the shapes that scripts return. */
export function textsIn(reply: unknown): string[] {
  return listIn(reply).map(textIn)
}

export function listIn(reply: unknown): unknown[] {
  assert(Array.isArray(reply), `Redis answered ${JSON.stringify(reply)} instead of a list`)
  return reply
}

export function textIn(reply: unknown): string {
  assert(typeof reply === 'string', `Redis answered ${JSON.stringify(reply)} instead of text`)
  return reply
}

export function numberIn(reply: unknown): number {
  assert(typeof reply === 'number', `Redis answered ${JSON.stringify(reply)} instead of a number`)
  return reply
}
