/** Longer ones are not ours. */
const PATH_LENGTH_MAX = 500

/** Where to go next, if it is a path of this site; else home. Whoever makes up a link must not send people elsewhere. */
export function ownPath(text: string | undefined): string {
  if (text === undefined || text.length > PATH_LENGTH_MAX || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/'
  const url = new URL(text, 'http://localhost')
  return url.host === 'localhost' ? `${url.pathname}${url.search}` : '/'
}
