import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKeys } from '../../../identity/index.ts'

/** A captured webhook cannot be replayed after this time. */
const AGE_SECONDS_MAX = 300

export const SANDBOX_SIGNATURE_HEADER = 'sandbox-signature'

/** Signs the sandbox's webhooks, and verifies its own signatures. */
export interface SandboxSignature {
  sign(body: string): string
  isValid(body: Buffer, header: string | string[] | undefined): boolean
}

export function createSandboxSignature(secrets: readonly Buffer[], now: () => number): SandboxSignature {
  const keys = deriveKeys(secrets, 'sandbox-webhook')
  const mac = (key: (typeof keys)[number], time: number, body: Buffer | string): Buffer =>
    createHmac('sha256', key.key).update(`${time}.`).update(body).digest()
  return {
    sign(body) {
      const time = Math.floor(now() / 1_000)
      return `t=${time},v1=${mac(keys[0], time, body).toString('hex')}`
    },
    isValid(body, header) {
      if (typeof header !== 'string') return false
      const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
      if (signature === '' || Math.abs(now() / 1_000 - Number(seconds)) > AGE_SECONDS_MAX) return false
      const given = Buffer.from(signature, 'hex')
      return keys.some((key) => timingSafeEqual(mac(key, Number(seconds), body), given))
    },
  }
}
