import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

/** What Apple and Google give out to those who issue passes; null for what is not set up. */
export interface WalletSettings {
  readonly apple: AppleWallet | null
  readonly google: GoogleWallet | null
}

export interface AppleWallet {
  readonly passType: string
  readonly team: string
  /** PEM. */
  readonly certificate: string
  readonly key: string
  /** Apple's intermediate certificate, PEM. */
  readonly wwdr: string
}

export interface GoogleWallet {
  readonly issuer: string
  /** The service account that signs. */
  readonly account: string
  readonly key: KeyObject
}

type WalletSetting = (typeof APPLE)[number] | (typeof GOOGLE)[number]

const APPLE = [
  'SEATWISE_APPLE_PASS_TYPE',
  'SEATWISE_APPLE_TEAM',
  'SEATWISE_APPLE_CERTIFICATE',
  'SEATWISE_APPLE_KEY',
  'SEATWISE_APPLE_WWDR',
] as const
const GOOGLE = ['SEATWISE_GOOGLE_WALLET_ISSUER', 'SEATWISE_GOOGLE_WALLET_KEY'] as const

/** The keys of wallets. Problems never repeat a key. */
export function readWallets(value: (name: WalletSetting) => string | null, problems: string[]): WalletSettings {
  return { apple: readApple(value, problems), google: readGoogle(value, problems) }
}

function readApple(value: (name: WalletSetting) => string | null, problems: string[]): AppleWallet | null {
  const [passType, team, certificate, key, wwdr] = APPLE.map(value)
  if (!isWhole(APPLE, value, problems) || !passType || !team || !certificate || !key || !wwdr) return null
  if (!/^pass(?:\.[\w-]+)+$/.test(passType))
    problems.push('SEATWISE_APPLE_PASS_TYPE must look like "pass.com.example.tickets".')
  if (!/^[A-Z0-9]{10}$/.test(team)) problems.push('SEATWISE_APPLE_TEAM must be the ten characters of your team.')
  const read = readPem('SEATWISE_APPLE_CERTIFICATE', certificate, (pem) => new X509Certificate(pem), problems)
  const readKey = readPem('SEATWISE_APPLE_KEY', key, (pem) => createPrivateKey(pem), problems)
  readPem('SEATWISE_APPLE_WWDR', wwdr, (pem) => new X509Certificate(pem), problems)
  if (read !== null && readKey !== null && !read.checkPrivateKey(readKey)) {
    problems.push('SEATWISE_APPLE_KEY does not belong to SEATWISE_APPLE_CERTIFICATE.')
  }
  return { passType, team, certificate: plain(certificate), key: plain(key), wwdr: plain(wwdr) }
}

function readGoogle(value: (name: WalletSetting) => string | null, problems: string[]): GoogleWallet | null {
  const [issuer, account] = GOOGLE.map(value)
  if (!isWhole(GOOGLE, value, problems) || !issuer || !account) return null
  if (!/^\d{10,25}$/.test(issuer))
    problems.push('SEATWISE_GOOGLE_WALLET_ISSUER must be the number of your issuer account.')
  try {
    const { client_email: email, private_key: pem } = JSON.parse(plain(account)) as Record<string, unknown>
    if (typeof email === 'string' && typeof pem === 'string') {
      const key = createPrivateKey(pem)
      if (key.asymmetricKeyType === 'rsa') return { issuer, account: email, key }
    }
  } catch {
    // Said below, without the key.
  }
  problems.push('SEATWISE_GOOGLE_WALLET_KEY must be the key file of a service account, JSON or the same in base64.')
  return null
}

/** All of them, or none. */
function isWhole(
  names: readonly WalletSetting[],
  value: (name: WalletSetting) => string | null,
  problems: string[],
): boolean {
  const missing = names.filter((name) => value(name) === null)
  if (missing.length > 0 && missing.length < names.length) {
    problems.push(`${names.join(', ')} go together; missing: ${missing.join(', ')}.`)
  }
  return missing.length === 0
}

function readPem<Read>(name: string, text: string, read: (pem: string) => Read, problems: string[]): Read | null {
  try {
    return read(plain(text))
  } catch {
    problems.push(`${name} must be PEM, or the same in base64.`)
    return null
  }
}

/** Lines are hard to keep in an environment: base64 of the whole text is taken as well. */
function plain(text: string): string {
  return /^[A-Za-z0-9+/=\s]+$/.test(text) ? Buffer.from(text, 'base64').toString() : text
}
