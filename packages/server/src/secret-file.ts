import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const SECRET_BYTES = 32

/** Reads the secret kept in the data folder, made up at the first start; readable by this user only. */
export async function keepSecret(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secret')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(file, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  await chmod(file, 0o600)
  const secret = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (secret.length >= SECRET_BYTES) return secret
  throw new Error(
    `${file} holds less than ${SECRET_BYTES} bytes in base64. Delete it to get a new one; all sign-ins then end.`,
  )
}
