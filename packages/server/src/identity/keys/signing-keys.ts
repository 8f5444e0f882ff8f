import type { KeyObject } from 'node:crypto'
import type { Ledger, Row } from '@seatwise/ledger'
import { type DerivedKey, deriveKeys } from './derive-key.ts'
import { type Ed25519PublicJwk, generateKeyPair, privateKeyOf, publicJwk, publicKeyOf } from './ed25519.ts'
import { seal, unseal } from './seal.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** A key signs for one season, which limits the damage of a stolen one. */
export const SIGNING_MS = 90 * DAY_MS
/** A key is published this long before it signs, so that every cache and every scanner at a door has it by then. */
export const PUBLISHED_AHEAD_MS = 7 * DAY_MS
/** E-tickets are sold up to a year ahead and must still verify at the door. */
export const PUBLISHED_AFTER_MS = 400 * DAY_MS

/** A client can make up key ids: this bounds how often unknown ones make the server query the ledger. */
const LOOK_AGAIN_MS = 5_000

export interface SigningKey {
  readonly kid: string
  /** The public key's 32 bytes. */
  readonly publicKey: Uint8Array
  readonly privateKey: KeyObject
}

/** The Ed25519 keys of passes and e-tickets. All servers share them through the ledger. */
export interface SigningKeys {
  /** The key that signs now. */
  signer(): SigningKey
  /**
   * The key that verifies what `kid` signed; null when the key is unknown or retired. Another server may have just
   * created it: the keys are then read again in the background, at most once every few seconds.
   */
  verifier(kid: string): KeyObject | null
  /** The same for an id of which only the first symbols are known. */
  verifierStarting(kid: string): KeyObject | null
  /** All public keys, for `/.well-known/jwks.json`. */
  jwks(): { keys: Ed25519PublicJwk[] }
  /** Reads the keys again, and rotates them when due. */
  refresh(): Promise<void>
}

interface LoadedKey {
  readonly kid: string
  readonly generation: number
  readonly publicKey: KeyObject
  readonly jwk: Ed25519PublicJwk
  /** Null when the key no longer signs, or when the secret that sealed it is no longer configured. */
  readonly privateKey: KeyObject | null
  readonly signsFromMs: number
  readonly signsUntilMs: number
}

export async function openSigningKeys(
  ledger: Ledger,
  secrets: readonly Buffer[],
  now: () => number,
): Promise<SigningKeys> {
  const seals = deriveKeys(secrets, 'signing-key-seal')
  let keys = await loadAndRotate(ledger, seals, now())
  let lookedAgainAt = Number.NEGATIVE_INFINITY
  const lookAgain = async (): Promise<void> => {
    keys = (await readRows(ledger)).map((row) => load(row, seals))
  }
  const find = (isIt: (key: LoadedKey) => boolean): KeyObject | null => {
    const found = keys.find(isIt)
    if (found !== undefined) return found.publicKey
    if (now() - lookedAgainAt > LOOK_AGAIN_MS) {
      lookedAgainAt = now()
      lookAgain().catch(() => undefined) // The hourly refresh reports errors of the ledger.
    }
    return null
  }
  return {
    signer: () => chooseSigner(keys, now()),
    verifier: (kid) => find((key) => key.kid === kid),
    verifierStarting: (start) => find(({ kid }) => kid.startsWith(start)),
    jwks: () => ({ keys: keys.map(({ jwk }) => jwk) }),
    async refresh() {
      keys = await loadAndRotate(ledger, seals, now())
    },
  }
}

/**
 * The newest key that may sign. Clocks differ: a key that another server created slightly ahead of us is better than
 * none.
 */
function chooseSigner(keys: readonly LoadedKey[], nowMs: number): SigningKey {
  const able = keys.filter((key) => key.privateKey !== null)
  const chosen = able.findLast((key) => key.signsFromMs <= nowMs) ?? able[0]
  if (chosen === undefined || chosen.privateKey === null) throw new Error('There is no key that can sign')
  return { kid: chosen.kid, publicKey: Buffer.from(chosen.jwk.x, 'base64url'), privateKey: chosen.privateKey }
}

/** Each attempt finds that no key is needed, creates one, or finds that another server just created it. */
async function loadAndRotate(ledger: Ledger, seals: readonly DerivedKey[], nowMs: number): Promise<LoadedKey[]> {
  await tidy(ledger, nowMs)
  for (let pass = 0; pass < 5; pass += 1) {
    const rows = await readRows(ledger)
    const keys = rows.map((row) => load(row, seals))
    const signsFromMs = nextStart(keys, nowMs)
    if (signsFromMs === null) {
      await sealAgain(ledger, rows, keys, seals)
      return keys
    }
    await makeKey(ledger, seals, (keys.at(-1)?.generation ?? 0) + 1, signsFromMs)
  }
  throw new Error('The signing keys change faster than they can be read')
}

function readRows(ledger: Ledger): Promise<Row<'signing_keys'>[]> {
  return ledger.db.selectFrom('signing_keys').selectAll().orderBy('generation').execute()
}

/** When the next key should begin to sign, if it should be created now; null when the existing keys suffice. */
function nextStart(keys: readonly LoadedKey[], nowMs: number): number | null {
  const last = keys.findLast((key) => key.privateKey !== null)
  if (last === undefined || last.signsUntilMs <= nowMs) return nowMs
  return last.signsUntilMs - nowMs <= PUBLISHED_AHEAD_MS ? last.signsUntilMs : null
}

async function makeKey(
  ledger: Ledger,
  [currentSeal]: readonly DerivedKey[],
  generation: number,
  signsFromMs: number,
): Promise<void> {
  if (currentSeal === undefined) throw new Error('There is no secret to seal a key with')
  const pair = generateKeyPair()
  await ledger.db
    .insertInto('signing_keys')
    .values({
      kid: pair.kid,
      generation,
      public_key: pair.publicKey,
      sealed_private_key: seal(currentSeal, pair.kid, pair.seed),
      sealed_with: currentSeal.id,
      signs_from: new Date(signsFromMs),
      signs_until: new Date(signsFromMs + SIGNING_MS),
      published_until: new Date(signsFromMs + SIGNING_MS + PUBLISHED_AFTER_MS),
    })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .execute()
}

function load(row: Row<'signing_keys'>, seals: readonly DerivedKey[]): LoadedKey {
  const opener = seals.find(({ id }) => id === row.sealed_with)
  const privateKey =
    opener === undefined || row.sealed_private_key === null
      ? null
      : privateKeyOf(row.public_key, unseal(opener, row.kid, row.sealed_private_key))
  return {
    kid: row.kid,
    generation: row.generation,
    publicKey: publicKeyOf(row.public_key),
    jwk: publicJwk(row.kid, row.public_key),
    privateKey,
    signsFromMs: row.signs_from.getTime(),
    signsUntilMs: row.signs_until.getTime(),
  }
}

/** Seals the keys again with the newest secret, so that the operator can remove an older one from the settings. */
async function sealAgain(
  ledger: Ledger,
  rows: readonly Row<'signing_keys'>[],
  keys: readonly LoadedKey[],
  [currentSeal]: readonly DerivedKey[],
): Promise<void> {
  if (currentSeal === undefined) return
  for (const [index, row] of rows.entries()) {
    const seed = keys[index]?.privateKey?.export({ format: 'jwk' }).d
    if (seed === undefined || row.sealed_with === currentSeal.id) continue
    await ledger.db
      .updateTable('signing_keys')
      .set({
        sealed_private_key: seal(currentSeal, row.kid, Buffer.from(seed, 'base64url')),
        sealed_with: currentSeal.id,
      })
      .where('kid', '=', row.kid)
      .where('sealed_with', '=', row.sealed_with)
      .execute()
  }
}

/**
 * Deletes private keys that no longer sign, so that they cannot be stolen, and public keys that verify nothing any
 * more: no token and no head of a log.
 */
async function tidy(ledger: Ledger, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  await ledger.db
    .deleteFrom('signing_keys')
    .where('published_until', '<', now)
    // A head is verified for ever. Rule N7.
    .where('kid', 'not in', (heads) => heads.selectFrom('log_heads').select('log_heads.kid'))
    .execute()
  await ledger.db
    .updateTable('signing_keys')
    .set({ sealed_private_key: null, sealed_with: null })
    .where('signs_until', '<', now)
    .where('sealed_with', 'is not', null)
    .execute()
}
