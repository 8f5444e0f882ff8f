import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger, removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BadConfiguration, readConfig } from '../../../src/config/config.ts'
import type { App } from '../../../src/http/http-server.ts'
import { openTestApp, registerVisitor, type TestServices, type Visitor } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { type Bought, buy } from '../../support/news.ts'

const run = promisify(execFile)
const SAVE = 'https://pay.google.com/gp/v/save/'

describe('wallets', () => {
  let folder: string
  let env: Record<string, string>
  let googleKey: KeyObject
  let ledger: Ledger
  let app: App
  let services: TestServices
  let buyer: Visitor
  let bought: Bought

  beforeAll(async () => {
    folder = await temporaryFolder()
    for (const name of ['wwdr', 'pass']) await makeCertificate(name)
    const account = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    googleKey = account.publicKey
    const pem = account.privateKey.export({ type: 'pkcs8', format: 'pem' })
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    env = {
      SEATWISE_APPLE_PASS_TYPE: 'pass.com.example.tickets',
      SEATWISE_APPLE_TEAM: 'ABCDE12345',
      SEATWISE_APPLE_CERTIFICATE: await read('pass.crt'),
      SEATWISE_APPLE_KEY: Buffer.from(await read('pass.key')).toString('base64'),
      SEATWISE_APPLE_WWDR: await read('wwdr.crt'),
      SEATWISE_GOOGLE_WALLET_ISSUER: '3388000000012345678',
      SEATWISE_GOOGLE_WALLET_KEY: JSON.stringify({ client_email: 'passes@example.iam', private_key: pem }),
    }
    ledger = await openScratchLedger()
    ;({ app, services } = await openTestApp(ledger, { env, nowMs: Date.now() }))
    buyer = await registerVisitor(app)
    bought = await buy(ledger, { buyerId: buyer.id })
    await ledger.db
      .updateTable('events')
      .set({ starts_at: new Date('2031-05-01T12:30:00Z'), time_zone: 'Asia/Ho_Chi_Minh' })
      .where('id', '=', bought.eventId)
      .execute()
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
    await removeFolder(folder)
  })

  /** A key and a certificate of its own, as no authority gives them: only their form counts here. */
  async function makeCertificate(name: string): Promise<void> {
    const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)]
    await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
      ...files,
    ])
  }

  const get = (path: string, { authorization }: Visitor = buyer, accept = 'application/json') =>
    app.inject({ url: `/api/etickets/${bought.etickets[0]?.id}${path}`, headers: { authorization, accept } })

  it('[B314] a pass for Apple Wallet has the code and the seat, and a manifest that the certificate signed', async () => {
    const answer = await get('/apple.pkpass')
    expect(answer.headers).toMatchObject({
      ...{ 'content-type': 'application/vnd.apple.pkpass', 'cache-control': 'no-store' },
    })
    const files = unzip(answer.rawPayload)
    const text = (name: string) => files.get(name)?.toString() ?? ''
    const manifest = JSON.parse(text('manifest.json')) as Record<string, string>
    const others = [...files].filter(([name]) => name !== 'manifest.json' && name !== 'signature')
    expect(manifest).toEqual(
      Object.fromEntries(others.map(([name, body]) => [name, createHash('sha1').update(body).digest('hex')])),
    )
    expect(Object.keys(manifest).sort()).toEqual(['icon.png', 'icon@2x.png', 'icon@3x.png', 'pass.json'])
    // OpenSSL has the last word on the signature.
    await writeFile(join(folder, 'signature'), files.get('signature') ?? '')
    await writeFile(join(folder, 'manifest'), text('manifest.json'))
    const cms = ['-verify', '-inform', 'DER', '-in', join(folder, 'signature'), '-content', join(folder, 'manifest')]
    const signedBy = join(folder, 'signer.pem')
    const checking = ['cms', ...cms, '-binary', '-noverify', '-signer', signedBy, '-out', join(folder, 'content')]
    expect((await run('openssl', checking)).stderr).toMatch(/success/i)
    expect((await readFile(signedBy, 'utf8')).trim()).toBe(env.SEATWISE_APPLE_CERTIFICATE?.trim())
    await writeFile(join(folder, 'manifest'), '{}')
    await expect(run('openssl', checking)).rejects.toThrow(/fail/i)

    const { code, shortCode } = (await get('')).json<{ code: string; shortCode: string }>()
    const pass = JSON.parse(text('pass.json'))
    expect(pass).toMatchObject({
      ...{ passTypeIdentifier: 'pass.com.example.tickets', teamIdentifier: 'ABCDE12345', description: 'Aurora Live' },
      serialNumber: `${bought.etickets[0]?.id}.1`,
      barcodes: [
        { message: code, format: 'PKBarcodeFormatQR', altText: `${shortCode.slice(0, 4)}-${shortCode.slice(4)}` },
      ],
      eventTicket: {
        primaryFields: [{ value: 'Aurora Live' }],
        auxiliaryFields: [{ value: 'Stalls' }, { value: 'A' }, { value: '1' }],
        // The venue's time, in whatever zone the telephone is.
        secondaryFields: expect.arrayContaining([
          expect.objectContaining({ value: '2031-05-01T19:30:00.000+07:00', ignoresTimeZone: true }),
        ]),
      },
    })
  })

  it('[B314] a link for Google Wallet is signed by the service account; browsers are led there', async () => {
    const { url } = (await get('/google')).json<{ url: string }>()
    expect(url.startsWith(SAVE)).toBe(true)
    const [header = '', payload = '', signature = ''] = url.slice(SAVE.length).split('.')
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${payload}`),
      googleKey,
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    const { code } = (await get('')).json<{ code: string }>()
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      ...{ iss: 'passes@example.iam', aud: 'google', typ: 'savetowallet' },
      payload: {
        eventTicketClasses: [
          { id: `3388000000012345678.event-${bought.eventId}`, eventName: { defaultValue: { value: 'Aurora Live' } } },
        ],
        eventTicketObjects: [{ barcode: { value: code }, seatInfo: { row: { defaultValue: { value: 'A' } } } }],
      },
    })
    const led = await get('/google', buyer, 'text/html')
    expect([led.statusCode, String(led.headers.location).startsWith(SAVE)]).toEqual([303, true])
  })

  it('[B314] only its holder gets them, and the pages offer them', async () => {
    const other = await registerVisitor(app)
    for (const path of ['/apple.pkpass', '/google']) expectError(await get(path, other), 403, 'FORBIDDEN')
    const cookie = `seatwise-session=${buyer.authorization.replace('Bearer ', '')}`
    for (const url of [`/etickets/${bought.etickets[0]?.id}`, `/checkout/${bought.reservationId}`]) {
      const { body } = await app.inject({ url, headers: { cookie } })
      expect(body).toContain(`/api/etickets/${bought.etickets[0]?.id}/apple.pkpass`)
      expect(body).toContain(`/api/etickets/${bought.etickets[0]?.id}/google`)
    }
  })

  it('[B315] settings of a wallet go together and fit each other, and no problem repeats a key', () => {
    const problemsOf = (changed: Record<string, string>): readonly string[] => {
      try {
        readConfig({ ...env, ...changed })
        return []
      } catch (error) {
        if (error instanceof BadConfiguration) return error.problems
        throw error
      }
    }
    expect(problemsOf({})).toEqual([])
    const pem = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    expect(problemsOf({ SEATWISE_APPLE_KEY: String(pem) })).toEqual([
      'SEATWISE_APPLE_KEY does not belong to SEATWISE_APPLE_CERTIFICATE.',
    ])
    expect(problemsOf({ SEATWISE_APPLE_WWDR: '' })).toEqual([expect.stringContaining('missing: SEATWISE_APPLE_WWDR.')])
    expect(problemsOf({ SEATWISE_APPLE_TEAM: 'us', SEATWISE_APPLE_PASS_TYPE: 'tickets' })).toHaveLength(2)
    const bad = problemsOf({
      SEATWISE_APPLE_KEY: 'no-key-at-all',
      SEATWISE_GOOGLE_WALLET_KEY: '{"private_key":"nor-this"}',
    })
    expect(bad).toHaveLength(2)
    expect(bad.join()).not.toMatch(/no-key-at-all|nor-this/)
  })
})

/** The files of an archive whose entries are stored as they are. */
function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  let at = 0
  while (archive.readUInt32LE(at) === 0x04034b50) {
    const [size, nameLength, extraLength] = [
      archive.readUInt32LE(at + 18),
      archive.readUInt16LE(at + 26),
      archive.readUInt16LE(at + 28),
    ]
    const start = at + 30 + nameLength + extraLength
    files.set(archive.toString('utf8', at + 30, at + 30 + nameLength), archive.subarray(start, start + size))
    at = start + size
  }
  return files
}
