/** Longer paths are not ours. */
const PATH_LENGTH_MAX = 500
/** Represents this site, whatever its name is: a path is ours if it resolves to this origin. */
const OWN_ORIGIN = 'http://own.invalid'

/** Where to go next, if it is a path of this site; otherwise home. A link made by another site must not lead there. */
export function ownPath(text: string | undefined): string {
  if (text === undefined || text.length > PATH_LENGTH_MAX || !/^\/[\x21-\x7e]*$/.test(text)) return '/'
  const url = URL.parse(text, OWN_ORIGIN)
  if (url === null || url.origin !== OWN_ORIGIN) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // Once its dots are resolved a path may begin with two slashes, and then names another site: check that it still
  // resolves to the same address.
  return URL.parse(path, OWN_ORIGIN)?.href === OWN_ORIGIN + path ? path : '/'
}
