import type { Access } from '../access/access.ts'

/** A name that generated clients can use, from method and path: `getEventQueueStatus`. Routes may state another one. */
export function operationIdOf(method: string, url: string): string {
  const words = url
    .replace(/^\/(api\/)?/, '')
    .split('/')
    .flatMap((part, index, parts) =>
      part.startsWith(':') ? parameterWords(part, index, parts) : wordsOf(part, index, parts),
    )
  return [method.toLowerCase(), ...words].map((word, index) => (index === 0 ? word : capitalized(word))).join('')
}

/** `:id` names one of what stands before it, which `wordsOf` says; another parameter at the end says so itself. */
function parameterWords(part: string, index: number, parts: readonly string[]): string[] {
  return part === ':id' || index < parts.length - 1 ? [] : ['by', part.slice(1)]
}

/** One event, when its id follows; the list of events, when nothing does. */
function wordsOf(part: string, index: number, parts: readonly string[]): string[] {
  const isOne = parts[index + 1]?.startsWith(':') === true
  const words = part.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const last = words.pop() ?? ''
  return [...words, isOne ? last.replace(/(?<!s)s$/, '') : last]
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Who may call a route, in a sentence, so that every operation says it. */
export function tellAccess(access: Access | undefined): string {
  if (access === undefined || access === 'public') return 'Anybody may call it.'
  if (Array.isArray(access)) return `For accounts with the role ${access.join(' or ')}.`
  switch (access) {
    case 'public-or-signed-in':
      return 'Anybody may call it; an access token says who calls.'
    case 'signed-in':
      return 'For accounts and guests, with their access token.'
    case 'ticket':
      return 'For the holder of a ticket, with its token or cookie.'
    case 'ticket-or-pass':
      return 'For the holder of a ticket or pass.'
    case 'local-network':
      return 'For callers in a private network, and admins.'
    default:
      return tellAct(access as Exclude<Access, string | readonly string[]>)
  }
}

function tellAct({ act, on, orOwner }: Exclude<Access, string | readonly string[]>): string {
  const owner = on === 'organization' ? 'of the organization' : `of the organization that owns the ${on}`
  const where = on === 'some' ? 'of an organization' : owner
  const own = orOwner === true ? ' Buyers may call it for what is their own.' : ''
  return `For members and API keys ${where} whose role may do “${act}”, and for admins.${own}`
}
