import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import { ownOrigin } from '../../http/index.ts'

/** For whom authenticators make keys. A key that was made for another site, or another name of this one, is no use here. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Without a public address only `localhost`: browsers make passkeys for it without https. */
export function relyingPartyOf(config: Config, request: FastifyRequest): RelyingParty {
  const origin = ownOrigin(config, request)
  return { id: config.publicUrl === null ? 'localhost' : new URL(config.publicUrl).hostname, origin }
}
