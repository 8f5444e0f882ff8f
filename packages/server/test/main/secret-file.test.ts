import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepSecret } from '../../src/main/secret-file.ts'

describe('the secret that is made up', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => removeFolder(folder))

  it('[O4] is the same at the next start, and for this user only', async () => {
    const dataDir = join(folder, 'data with a space')
    const first = await keepSecret(dataDir)
    expect(first.length).toBeGreaterThanOrEqual(32)
    expect(await keepSecret(dataDir)).toEqual(first)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
  })

  it('[O4] is created once even when several servers start at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => keepSecret(folder)))
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1)
  })

  it('[O4] is refused when it was cut short', async () => {
    await writeFile(join(folder, 'secret'), 'c2hvcnQ=')
    await expect(keepSecret(folder)).rejects.toThrow(/less than 32 bytes/)
  })
})
