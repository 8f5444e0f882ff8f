import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Finds a program of the machine, or says in one sentence what to install. */
export function findBinary(name: string, installHint: string, path: string = process.env.PATH ?? ''): string {
  for (const folder of [...path.split(delimiter), ...postgresFolders()]) {
    const candidate = join(folder, name)
    if (folder !== '' && isExecutable(candidate)) return candidate
  }
  throw new Error(`The program ${name} is not installed: install ${installHint} and run the tests again.`)
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
  if (address === null || typeof address === 'string') throw new Error('A listening socket has no port')
  return address.port
}

/** PostgreSQL refuses to run as root: then it runs as a user without rights. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody.')
}

/** A fresh temporary folder that belongs to the given user. */
export async function temporaryFolder(owner?: { uid: number; gid: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'seatwise-'))
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Debian keeps the server programs of PostgreSQL out of the PATH; the newest version comes first. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return [] // The folder is only Debian's habit.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
