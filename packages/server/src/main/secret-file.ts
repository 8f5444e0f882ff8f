import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const SECRET_BYTES = 32

/** Reads the secret kept in the data folder, generated at the first start; readable by this user only. */
export async function keepSecret(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secret')
  const kept = await readSecret(file)
  if (kept !== null) return kept
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await makeUpSecret(file)
  const made = await readSecret(file)
  if (made === null) throw new Error(`${file} was removed while it was written.`)
  return made
}

/** Written to a temporary file and then linked, so that no reader sees half of it; the first process to link wins. */
async function makeUpSecret(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  const secret = randomBytes(SECRET_BYTES).toString('base64')
  try {
    await writeFile(aside, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await link(aside, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}

async function readSecret(file: string): Promise<Buffer | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  const secret = Buffer.from(text, 'base64')
  if (secret.length >= SECRET_BYTES) return secret
  throw new Error(
    `${file} holds less than ${SECRET_BYTES} bytes in base64. Delete it to get a new one; all sign-ins then end.`,
  )
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
