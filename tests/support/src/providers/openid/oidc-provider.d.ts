/** What the test bench uses of `oidc-provider`, which comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Context {
    readonly oidc: {
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string; grantIdFor(clientId: string): string | undefined }
    }
  }

  export interface Configuration {
    readonly clients: readonly object[]
    readonly jwks: { readonly keys: readonly object[] }
    readonly cookies: { readonly keys: readonly string[] }
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly conformIdTokenClaims: boolean
    readonly features: object
    readonly pkce: { readonly required: () => boolean }
    readonly ttl: Readonly<Record<string, number>>
    readonly interactions: { readonly url: (context: unknown, interaction: { readonly uid: string }) => string }
    findAccount(context: unknown, id: string): object | undefined
    loadExistingGrant(context: Context): Promise<Grant | undefined>
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
