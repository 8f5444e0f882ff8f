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

/**
 * A port without a listener. None of those that the system gives to outgoing connections: they would take the port of
 * a server that is dead just now and about to be started again. Each process looks in a block of its own.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS_OF_PROCESS; attempt += 1) {
    portsTaken += 1
    const port = PORTS_FROM + (process.pid % PORT_BLOCKS) * PORTS_OF_PROCESS + (portsTaken % PORTS_OF_PROCESS)
    if (await isFree(port)) return port
  }
  throw new Error(`All ${PORTS_OF_PROCESS} ports of this process are taken`)
}

/** Up to 30,000: where outgoing connections begin is a setting of the system, which is 32,768 nearly everywhere. */
const PORTS_FROM = 10_000
const PORT_BLOCKS = 200
const PORTS_OF_PROCESS = 100
let portsTaken = Math.floor(Math.random() * PORTS_OF_PROCESS)

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const found = Promise.withResolvers<boolean>()
  server.once('error', () => found.resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => found.resolve(true)))
  return await found.promise
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
