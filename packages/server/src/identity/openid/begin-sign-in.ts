import type { Provider } from './provider.ts'

/** What the browser keeps from leaving for the provider until it comes back: only it can use the provider's answer. */
export interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Where to go afterwards: a path of this site. */
  readonly next: string
}

/** Where a person signs in at the provider. `isAgain`: the provider asks for the password even of who is signed in there. */
export async function beginSignIn(
  provider: Provider,
  { next, redirectUri, isAgain }: { readonly next: string; readonly redirectUri: string; readonly isAgain: boolean },
): Promise<{ readonly url: string; readonly flow: Flow }> {
  const { client, configuration } = await provider.connect()
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    ...{ state, nonce },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isAgain ? { prompt: 'login' } : {}),
  })
  return { url: url.href, flow: { state, nonce, verifier, next } }
}
