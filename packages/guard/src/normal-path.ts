const PLAIN = /^\/[A-Za-z0-9_~./-]*$/
const ODD_SEGMENT = /\/(\.{0,2})\/|\/\.{1,2}$/

/**
 * The path of a request if it is spelled in the plainest way, else null: no escapes, no empty or dotted segments, no
 * backslash, no parameters. Servers, proxies and frameworks disagree about what such spellings mean, so nothing is
 * ever ignored because of one: what is odd is guarded.
 */
function plainPath(url: string): string | null {
  const path = pathOf(url)
  return PLAIN.test(path) && !ODD_SEGMENT.test(path) ? path : null
}

/** Everything before the query, as it came. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** Whether a request needs no pass: a listed path, or one below a listed path that ends with a slash. */
export function createIgnored(list: readonly string[]): (url: string) => boolean {
  if (list.length === 0) return () => false
  const exact = new Set(list.filter((path) => !path.endsWith('/')))
  const folders = list.filter((path) => path.endsWith('/'))
  return (url) => {
    const path = plainPath(url)
    return path !== null && (exact.has(path) || folders.some((folder) => path.startsWith(folder)))
  }
}
