/** A path as the most generous of servers reads it: escapes three deep, backslashes, parameters, dots, any case. */
export function generousPath(url: string): string {
  let path = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '/'
  for (let times = 0; times < 3; times += 1)
    path = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const segments: string[] = []
  for (const segment of path
    .replaceAll('\\', '/')
    .replace(/;[^/]*/g, '')
    .toLowerCase()
    .split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}
