import type { Config } from '../../config/index.ts'
import { createProvider } from '../../identity/index.ts'
import { bad, type Finding, good } from './finding.ts'

/** Asks the house's OpenID provider for its description, as a sign-in does. Nothing without one. */
export async function judgeProvider({ openid }: Pick<Config, 'openid'>): Promise<Finding[]> {
  if (openid === null) return []
  const what = 'staff sign-in'
  try {
    const { configuration } = await createProvider(openid, Date.now).connect()
    const methods = configuration.serverMetadata().code_challenge_methods_supported
    // A provider may leave the list out; one that has it and lacks S256 ignores the proof that we send.
    if (methods !== undefined && !methods.includes('S256')) {
      return [bad(what, 'providerWithoutProof', { issuer: openid.issuer })]
    }
    return [good(what, `${openid.issuer} answers`)]
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    return [bad(what, 'providerSilent', { issuer: openid.issuer, error: says })]
  }
}
