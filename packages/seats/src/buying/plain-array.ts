/**
 * An array parameter of ids, numbers, times or words of ours, which need no quoting: the driver would look for quotes in
 * each of them, and a batch of claims has thousands. Never for what a client wrote.
 */
export function plainArray<Item>(items: readonly Item[], read: (item: Item) => string | number | null): string {
  return `{${items.map((item) => read(item) ?? 'null').join(',')}}`
}
