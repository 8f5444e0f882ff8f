import { sendsMail } from '../../../config/index.ts'
import type { PageParts } from '../page-parts.ts'

/** Which ways of signing in this deployment has beside passwords and passkeys. */
export function waysIn({ config, identity }: PageParts): { readonly hasProvider: boolean; readonly hasMail: boolean } {
  return { hasProvider: identity.provider !== null, hasMail: sendsMail(config) }
}
