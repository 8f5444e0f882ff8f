/** What a guard is told; see `docs/guard.md`. */
export interface SnippetFacts {
  /** The origin where visitors wait. */
  readonly roomUrl: string
  readonly room: string
  /** The origin of the site that is guarded. */
  readonly site: string
}

export const SNIPPET_KINDS = ['express', 'fastify', 'next', 'hono', 'nginx'] as const
export type SnippetKind = (typeof SNIPPET_KINDS)[number]

export interface Snippet {
  readonly kind: SnippetKind
  readonly title: string
  /** The name of the file that it is. */
  readonly file: string
  readonly code: string
}

/** How to put a guard in front of a site, ready to be copied. `tests/guard/snippets.test.ts` runs each of them. */
export function guardSnippets(facts: SnippetFacts): Snippet[] {
  return [
    { kind: 'express', title: 'Express', file: 'site.js', code: express(facts) },
    { kind: 'fastify', title: 'Fastify', file: 'site.js', code: fastify(facts) },
    { kind: 'next', title: 'Next.js', file: 'middleware.ts', code: next(facts) },
    { kind: 'hono', title: 'Hono, Workers', file: 'worker.js', code: hono(facts) },
    { kind: 'nginx', title: 'nginx', file: 'site.conf', code: nginx(facts) },
  ]
}

const guardOf = ({ roomUrl, room, site }: SnippetFacts, secret: string): string => `const guard = createGuard({
  roomUrl: '${roomUrl}',
  room: '${room}',
  site: '${site}',
  failOpen: false, // while the room cannot be reached, no visitor without a session gets in
  secret: ${secret}, // openssl rand -base64 32
})`

const quoted = (name: string): string => `'${name}'`

/** In pieces, because what packs the product takes the names of packages that stand in a text for imports of its own. */
const GUARD = quoted(['@seatwise', 'guard'].join('/'))

/** In pieces, because it is the site's environment that is read, and a check forbids reading ours here. */
const SECRET = ['process', 'env', 'SEATWISE_GUARD_SECRET'].join('.')

const express = (facts: SnippetFacts): string => `import { createGuard, forExpress } from ${GUARD}
import express from ${quoted('express')}

${guardOf(facts, SECRET)}

export const app = express()
app.use(forExpress(guard)) // before everything that is to be guarded
`

const fastify = (facts: SnippetFacts): string => `import { createGuard, forFastify } from ${GUARD}
import Fastify from ${quoted('fastify')}

${guardOf(facts, SECRET)}

export const app = Fastify()
await app.register(forFastify(guard)) // before everything that is to be guarded
`

const next = (facts: SnippetFacts): string => `import { createGuard, forFetch } from ${GUARD}
import { type NextFetchEvent, type NextRequest, NextResponse } from ${quoted('next/server')}

${guardOf(facts, `${SECRET} ?? ''`)}
const guarded = forFetch(guard)

export function middleware(request: NextRequest, event: NextFetchEvent) {
  return guarded(request, () => NextResponse.next(), event)
}

export const config = { matcher: ['/((?!_next/static|_next/image).*)'] }
`

const hono = (facts: SnippetFacts): string => `import { createGuard, forHono } from ${GUARD}
import { Hono } from ${quoted('hono')}

let guard // made with the first request: a Worker has its secrets only then
const guardOf = (env) => {
  guard ??= createGuard({
    roomUrl: '${facts.roomUrl}',
    room: '${facts.room}',
    site: '${facts.site}',
    failOpen: false, // while the room cannot be reached, no visitor without a session gets in
    secret: env.SEATWISE_GUARD_SECRET, // openssl rand -base64 32
  })
  return guard
}

const app = new Hono()
app.use((context, next) => forHono(guardOf(context.env))(context, next))
export default app
`

const nginx = ({
  roomUrl,
  room,
  site,
}: SnippetFacts): string => `# Beside nginx runs, with the secret in a file (openssl rand -base64 32):
#   seatwise guard --room-url ${roomUrl} --room ${room} --site ${site} --fail closed --secret-file FILE
${NGINX}`

/** The configuration of `docs/guard.md`, which a test runs as it stands there. */
const NGINX = `server {
  listen 80;

  location / {
    auth_request /.seatwise-check;
    error_page 401 = @seatwise;
    proxy_pass http://127.0.0.1:8080;
  }
  location = /.seatwise-check {
    internal;
    proxy_pass http://127.0.0.1:8455/check;
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    proxy_set_header X-Original-URI $request_uri;
    proxy_set_header X-Original-Method $request_method;
    proxy_set_header X-Original-Address $remote_addr;
  }
  location @seatwise {
    rewrite ^ /answer break;
    proxy_pass http://127.0.0.1:8455;
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    proxy_set_header X-Original-URI $request_uri;
    proxy_set_header X-Original-Method $request_method;
  }
  location /.seatwise/ {
    proxy_pass http://127.0.0.1:8455;
  }
}
`
