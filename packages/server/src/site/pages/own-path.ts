/** Longer ones are not ours. */
const PATH_LENGTH_MAX = 500
/** Stands for this site, whatever its name is: a path is one of ours if it leads here. */
const OWN_ORIGIN = 'http://own.invalid'

/** Where to go next, if it is a path of this site; else home. A link that another site made up must not lead there. */
export function ownPath(text: string | undefined): string {
  if (text === undefined || text.length > PATH_LENGTH_MAX || !/^\/[\x21-\x7e]*$/.test(text)) return '/'
  const url = URL.parse(text, OWN_ORIGIN)
  if (url === null || url.origin !== OWN_ORIGIN) return '/'
  const path = `${url.pathname}${url.search}`
  // Without its dots a path may begin with two slashes, and then names another site: it must lead to where it led before.
  return URL.parse(path, OWN_ORIGIN)?.href === OWN_ORIGIN + path ? path : '/'
}
