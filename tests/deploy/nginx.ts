import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findBinary, freePort, startChild } from '@seatwise/testbench'

const FILE = join(import.meta.dirname, '../../deploy/nginx/seatwise.conf')

export interface FrontServer {
  readonly url: string
  readonly child: Child
}

/**
 * nginx with the file that we publish, but for its addresses and certificates. Its first server is one that is not there:
 * the second must answer everything.
 */
export async function startProxy(folder: string, port: number): Promise<FrontServer> {
  const [own, dead] = [await freePort(), await freePort()]
  const published = readFileSync(FILE, 'utf8')
  const served = published
    .replace('listen 443 ssl;', `listen 127.0.0.1:${own};`)
    .replace(/^ *ssl_certificate.*\n/gm, '')
    .replace('127.0.0.1:3001', `127.0.0.1:${dead}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${port}`)
    .replace('/var/cache/nginx/seatwise', join(folder, 'cache'))
  await mkdir(join(folder, 'temporary'))
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = kinds.map((kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} daemon off; worker_processes 1; pid ${join(folder, 'pid')};
events { worker_connections 256; }
http { access_log off; ${folders.join(' ')}
${served}}
`,
  )
  const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : findBinary('nginx', 'nginx-light')
  const child = await startChild('nginx', program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'])
  return { url: `http://127.0.0.1:${own}`, child }
}
