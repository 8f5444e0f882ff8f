import { readFile } from 'node:fs/promises'
import { createGuard, forNginx, type Guard } from '@seatwise/guard'
import { type Command, readOptions, UsedWrongly } from '../command.ts'
import { serveFetch } from '../guard/serve-fetch.ts'

export const guard: Command = {
  name: 'guard',
  summary: 'guards a site behind nginx: only visitors admitted by a room get through',
  help: [
    'Answers auth_request of nginx (or of a server with the same feature) on a local port; docs/guard.md has the',
    'configuration. Only that server may reach the port. Runs until it is stopped.',
    '',
    '  --room-url URL      where visitors reach the waiting room, such as https://queue.example.com',
    '  --room ID           the room',
    '  --site URL          where visitors reach the guarded site, such as https://shop.example.com',
    '  --fail open|closed  whether visitors are let in while the room cannot be reached; there is no default',
    '  --secret-file FILE  the secret that signs session cookies: base64 of at least 32 bytes, one per line, the first signs',
    '  --ignore PATH       needs no pass; a path that ends with a slash means all below it. May be repeated',
    '  --bypass-network N  an address or network whose clients need no pass, such as 198.51.100.0/24. May be repeated',
    '  --bypass-header-file FILE  headers that need no pass: a line "Name: secret of 16 characters or more" each',
    '  --api-url URL       where this program reaches the room, if not at --room-url',
    '  --host, --port      where to listen; 127.0.0.1 and 8455',
  ].join('\n'),
  async run(args) {
    const options = readOptions(args, OPTIONS)
    const opened = await openGuard(options)
    const port = Number(options.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsedWrongly(`--port cannot be ${options.port}`)
    const server = await serveFetch(forNginx(opened), { host: options.host, port })
    console.log(`The guard listens on ${server.url}. Ctrl-C stops it.`)
    await untilToldToStop()
    await server.close()
    await opened.settled()
    return 0
  },
}

const OPTIONS = {
  'room-url': { type: 'string', default: '' },
  room: { type: 'string', default: '' },
  site: { type: 'string', default: '' },
  fail: { type: 'string', default: '' },
  'secret-file': { type: 'string', default: '' },
  ignore: { type: 'string', multiple: true, default: [] as string[] },
  'bypass-network': { type: 'string', multiple: true, default: [] as string[] },
  'bypass-header-file': { type: 'string' },
  'api-url': { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '8455' },
} as const

async function openGuard(options: ReturnType<typeof readOptions<typeof OPTIONS>>): Promise<Guard> {
  const secret = await readSecrets(options['secret-file'])
  const fail = options.fail === 'open' || options.fail === 'closed' ? { failOpen: options.fail === 'open' } : undefined
  if (fail === undefined) throw new UsedWrongly('--fail must be open or closed: are people let in without the room?')
  const { room, site, ignore, 'room-url': roomUrl, 'api-url': apiUrl } = options
  const bypass = { networks: options['bypass-network'], headers: await readHeaders(options['bypass-header-file']) }
  try {
    return createGuard({
      room,
      site,
      ignore,
      bypass,
      roomUrl,
      secret,
      ...fail,
      ...(apiUrl === undefined ? {} : { apiUrl }),
    })
  } catch (error) {
    throw new UsedWrongly(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** In a file, because command lines are seen by other users of the machine. */
async function readHeaders(file: string | undefined): Promise<Record<string, string[]>> {
  if (file === undefined) return {}
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new UsedWrongly(`--bypass-header-file ${file} cannot be read`, { cause })
  })
  const headers: Record<string, string[]> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const at = line.indexOf(':')
    const name = line.slice(0, Math.max(at, 0)).trim()
    headers[name] = [...(headers[name] ?? []), line.slice(at + 1).trim()]
  }
  return headers
}

async function readSecrets(file: string): Promise<string[]> {
  if (file === '') throw new UsedWrongly('--secret-file is missing. Make one with: openssl rand -base64 32 > FILE')
  try {
    return (await readFile(file, 'utf8'))
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => line.trim())
  } catch (cause) {
    throw new UsedWrongly(`--secret-file ${file} cannot be read`, { cause })
  }
}

async function untilToldToStop(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
