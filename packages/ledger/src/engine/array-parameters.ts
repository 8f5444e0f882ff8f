/**
 * An array parameter of texts, each in quotes: the driver would look at every character of them, and a batch of claims has
 * hundreds of keys, ids and fingerprints.
 */
export function textArray<Item>(items: readonly Item[], read: (item: Item) => string): string {
  return `{${items.map((item) => quoted(read(item))).join(',')}}`
}

/** An element of such an array. Most texts have nothing to escape. */
export function quoted(text: string): string {
  const isPlain = !(text.includes('"') || text.includes('\\'))
  return `"${isPlain ? text : text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/**
 * An array parameter of ids, numbers, times or words of ours, which need no quoting: the driver would look for quotes in
 * each of them, and a batch of claims has thousands. Never for what a client wrote.
 */
export function plainArray<Item>(items: readonly Item[], read: (item: Item) => string | number | null): string {
  return `{${items.map((item) => read(item) ?? 'null').join(',')}}`
}
