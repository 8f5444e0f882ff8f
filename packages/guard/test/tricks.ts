/** A request that tries to get past a guard without a valid pass, byte for byte. */
export interface Trick {
  readonly name: string
  readonly method?: string
  readonly target?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

/** What an attacker may have got hold of. */
export interface Loot {
  /** The name and value of a session cookie that was valid once. */
  readonly endedCookie: string
  /** A valid session of another site with another secret, or of another room. */
  readonly foreignCookies: readonly string[]
  /** A pass that has ended, in its own form. */
  readonly endedPass: string
  readonly foreignPass: string
}

export function generateTricks(loot: Loot): Trick[] {
  return [...pathTricks(), ...methodTricks(), ...headerTricks(loot), ...cookieTricks(loot), ...enterTricks(loot)]
}

/** From a folder that needs no pass to a page that does, by every spelling that some server understands. */
function pathTricks(): Trick[] {
  const ups = [
    '..',
    '%2e%2e',
    '.%2e',
    '%2E.',
    '%252e%252e',
    '..;',
    '..;x=y',
    '..%00',
    '..%20',
    '..%09',
    '%c0%ae%c0%ae',
    '..%5c..',
  ]
  const slashes = ['/', '%2f', '%2F', '\\', '%5c', '//', '/./', '%252f']
  const climbs = ups.flatMap((up) => slashes.map((slash) => `/assets/${up}${slash}drop`))
  const others = [
    ...[
      '/assets/../drop',
      '/assets/x/../../drop',
      '/assets/./../drop',
      '/assets%2f..%2fdrop',
      '/assets%2f%2e%2e%2fdrop',
    ],
    ...[
      '//assets/../drop',
      '///drop',
      '/./drop',
      '/.//drop',
      '/%2e/drop',
      '/drop/',
      '/drop/.',
      '/drop/..',
      '/DROP',
      '/%64rop',
    ],
    ...[
      '/drop;/assets/x',
      '/drop;.css',
      '/drop.css',
      '/drop/x.css',
      '/drop%3b/assets/',
      '/drop?/assets/x',
      '/drop?x=/favicon.ico',
    ],
    ...[
      '/drop#/assets/x',
      '/drop%23/assets/',
      '/drop%3f/favicon.ico',
      '/favicon.ico/../drop',
      '/favicon.ico%2f..%2fdrop',
    ],
    ...[
      '/favicon.ico;/drop',
      '/favicon.ico/',
      '/favicon.ico/drop',
      '/FAVICON.ICO',
      '/favicon.ico%00',
      '/favicon.ico%20',
      '/favicon.ico.',
    ],
    ...[
      '/.seatwise',
      '/.seatwise/',
      '/.seatwise/../drop',
      '/.seatwise/enter/../../drop',
      '/.seatwise/x',
      '/.seatwise%2fenter',
      '/%2eseatwise/enter',
    ],
    ...[
      '/.seatwise-check',
      '/check',
      '/answer',
      '/.seatwise/../check',
      '/.seatwise/..%2fcheck',
      '/internal',
      '/@seatwise',
    ],
    ...[
      'http://127.0.0.1/assets/x/../../drop',
      'http://evil.example/assets/app.css/../../drop',
      'https://x/drop',
      '*',
      '/drop%',
      '/%',
      '/%zz',
      '/%u002e',
    ],
    ...[
      '/assets/..%c0%afdrop',
      '/assets/..%ef%bc%8fdrop',
      '/\u00e4',
      '/drop%0d%0aX-Reached:%20open',
      '/drop%0a',
      '/drop\t',
      '/a/b/../../drop',
    ],
  ]
  return [...climbs, ...others].map((target) => ({ name: `path ${target}`, target }))
}

function methodTricks(): Trick[] {
  const methods = [
    ...[
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'MKCOL',
      'LOCK',
      'SEARCH',
      'PURGE',
      'LINK',
    ],
    ...['REPORT', 'QUERY', 'get', 'Get', 'GETX', 'HEAD1', 'CONNECT', 'BREW', 'ACL', 'SUBSCRIBE', 'M-SEARCH'],
  ]
  const plain = methods.map((method) => ({ name: `method ${method}`, method }))
  const overridden = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((header) => ({
    ...{ name: `${header}: OPTIONS`, method: 'POST', headers: [[header, 'OPTIONS'] as const] },
  }))
  const bodies = ['pass=x&to=/drop', '_method=OPTIONS', '{"pass":"x"}'].map((body) => ({
    ...{ name: `a body ${body}`, method: 'POST', body, headers: [['Content-Length', String(body.length)] as const] },
  }))
  return [...plain, ...overridden, ...bodies]
}

/** Headers that some server or proxy believes. */
function headerTricks({ endedPass, foreignPass }: Loot): Trick[] {
  const open = '/assets/app.css'
  const headers: (readonly [string, string])[] = [
    ...(
      [
        'X-Original-URL',
        'X-Original-URI',
        'X-Rewrite-URL',
        'X-Forwarded-Uri',
        'X-Forwarded-Path',
        'X-Forwarded-Prefix',
      ] as const
    ).map((name) => [name, open] as const),
    ...(
      [
        'Referer',
        'X-Accel-Redirect',
        'X-Sendfile',
        'Content-Location',
        'Destination',
        'X-Request-URI',
        'X-Envoy-Original-Path',
      ] as const
    ).map((name) => [name, open] as const),
    ...(
      [
        'X-Forwarded-For',
        'X-Real-IP',
        'Forwarded',
        'Client-IP',
        'True-Client-IP',
        'X-Client-IP',
        'CF-Connecting-IP',
      ] as const
    ).map((name) => [name, '127.0.0.1'] as const),
    ...(['X-Forwarded-Host', 'X-Host', 'X-Forwarded-Server'] as const).map((name) => [name, 'localhost'] as const),
    ...(
      [
        'Seatwise-Visitor',
        'Seatwise-Ticket',
        'Seatwise-Complete',
        'X-Reached',
        'X-Authenticated',
        'X-Middleware-Subrequest',
        'x-middleware-rewrite',
      ] as const
    ).map((name) => [name, '1'] as const),
    ...[endedPass, foreignPass, 'x'].flatMap((pass) => [
      ['Seatwise-Pass', pass] as const,
      ['Authorization', `Bearer ${pass}`] as const,
    ]),
    ...([
      ['X-Original-Method', 'OPTIONS'],
      ['Purpose', 'prefetch'],
      ['Sec-Purpose', 'prefetch'],
      ['Accept', '*/*'],
      ['Accept', 'text/css'],
    ] as const),
    ...([
      ['Sec-Fetch-Mode', 'no-cors'],
      ['Sec-Fetch-Dest', 'image'],
      ['Range', 'bytes=0-3'],
      ['If-None-Match', '*'],
      ['Expect', '100-continue'],
    ] as const),
    ...([
      ['Upgrade', 'websocket'],
      ['Upgrade', 'h2c'],
      ['Connection', 'close, Cookie'],
      ['Connection', 'close, X-Original-URI, X-Original-Method'],
    ] as const),
    ...([
      ['Transfer-Encoding', 'chunked'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['User-Agent', 'Googlebot/2.1'],
      ['X-Forwarded-Proto', 'https'],
    ] as const),
  ]
  return headers.map(([name, value]) => ({
    name: `header ${name}: ${value.slice(0, 40)}`,
    headers: [[name, value] as const],
  }))
}

function cookieTricks({ endedCookie, foreignCookies, endedPass, foreignPass }: Loot): Trick[] {
  const [name = '', value = ''] = endedCookie.split('=', 2)
  const [time = '', ...rest] = value.split('.')
  const mac = rest.at(-1) ?? ''
  const pass = rest.slice(0, -1).join('.')
  const flipped = mac.startsWith('A') ? `B${mac.slice(1)}` : `A${mac.slice(1)}`
  const values = [
    ...[
      '',
      '.',
      '..',
      '...',
      '1',
      'true',
      'null',
      'undefined',
      '[object Object]',
      '%00',
      'a.b',
      'a.b.c.d.e',
      '"x"',
      `"${value}"`,
    ],
    ...[
      value,
      value.toUpperCase(),
      `${value}.`,
      `.${value}`,
      `${value}%00`,
      value.slice(0, -1),
      `${time}.${pass}.${flipped}`,
      `${time}.${pass}.`,
    ],
    ...[
      `zzzzzzzz.${pass}.${mac}`,
      `${time}.${endedPass}.${mac}`,
      `${time}.${foreignPass}.${mac}`,
      `${time}..${mac}`,
      pass,
      mac,
      foreignPass,
    ],
    ...['x'.repeat(4_000), `${'a.'.repeat(500)}x`, encodeURIComponent(value), Buffer.from(value).toString('base64')],
  ]
  const cookies = [
    ...values.map((text) => `${name}=${text}`),
    ...foreignCookies,
    ...foreignCookies.map((cookie) => `${name}=${cookie.slice(cookie.indexOf('=') + 1)}`),
    ...[
      `${name.toUpperCase()}=${value}`,
      `__Host-${name}=${value}`,
      ` ${name} = ${value}`,
      `${name}`,
      `=${value}`,
      `$Version=1; ${name}=${value}`,
    ],
    Array.from({ length: 50 }, () => `${name}=x`).join('; '),
    [endedCookie, ...foreignCookies, `seatwise-pass=${foreignPass}`, `seatwise-ticket-x=${endedPass}`].join('; '),
  ]
  return cookies.map((cookie) => ({ name: `cookie ${cookie.slice(0, 60)}`, headers: [['Cookie', cookie] as const] }))
}

/** At the door itself, with what is not a valid pass of this room. */
function enterTricks({ endedPass, foreignPass }: Loot): Trick[] {
  const [header = '', payload = '', signature = ''] = foreignPass.split('.')
  const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const none = json({ alg: 'none', typ: 'seatwise-pass+jwt' })
  const passes = [
    '',
    'x',
    endedPass,
    foreignPass,
    `${none}.${payload}.`,
    `${header}.${payload}.`,
    `${header}.${payload}.${signature}${signature}`,
  ]
  return passes.map((pass) => {
    const body = new URLSearchParams({ pass, to: '/drop' }).toString()
    const headers = [
      ['Content-Type', 'application/x-www-form-urlencoded'] as const,
      ['Content-Length', String(body.length)] as const,
    ]
    return { name: `enter with ${pass.slice(0, 40)}`, method: 'POST', target: '/.seatwise/enter', headers, body }
  })
}
