import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
}

/** For reading on this machine; any web server can serve the folder. */
export async function serveSite(folder: string, port: number): Promise<void> {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url ?? '/')
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n')
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  console.log(`Read it at http://127.0.0.1:${(server.address() as AddressInfo).port}/ (Ctrl-C stops it).`)
}

function fileOf(folder: string, url: string): string | null {
  const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
  const file = resolve(join(folder, path.endsWith('/') ? `${path}index.html` : path))
  const isInside = file.startsWith(folder + sep)
  return isInside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null
}
