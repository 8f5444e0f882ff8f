import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import Type from 'typebox'

/** A signature of a passkey, as `PublicKeyCredential.toJSON()` writes it; the library reads it. */
export const Assertion = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Record(Type.String(), Type.Unknown(), { description: 'What the browser returned, as JSON' }),
)
