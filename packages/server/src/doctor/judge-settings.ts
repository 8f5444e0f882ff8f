import type { Config } from '../config.ts'
import { bad, type Finding, good, weak } from './finding.ts'
import { isLoopback } from './is-loopback.ts'

/** Fewer different bytes than this do not come out of a random generator once in a million times. */
const DIFFERENT_BYTES_MIN = 16

/** What can be said of the settings alone, without asking anybody. They are valid; that does not make them safe. */
export function judgeSettings(config: Config): Finding[] {
  return [
    good('settings', `${config.mode} mode`),
    ...config.secrets.map(judgeSecret),
    ...judgeAddress(config),
    ...judgeProxy(config),
    ...judgeMoney(config),
    ...judgeOpenDoors(config),
  ]
}

function judgeSecret(secret: Buffer, index: number): Finding {
  const what = index === 0 ? 'secret' : `secret ${index + 1}`
  if (new Set(secret).size >= DIFFERENT_BYTES_MIN) return good(what, `${secret.length} bytes`)
  return bad(
    what,
    'SEATWISE_SECRET was not made by a random generator, and whoever guesses it can forge every place in the line: ' +
      'make one with "openssl rand -base64 32"',
  )
}

function judgeAddress({ publicUrl, host, mode }: Config): Finding[] {
  const what = 'public address'
  if (publicUrl === null) {
    if (mode === 'embedded' && isLoopback(host)) return [good(what, 'only this machine can reach it')]
    return [
      bad(
        what,
        'SEATWISE_PUBLIC_URL is not set, so that links in mails, cookies and checks of origin guess where visitors are: ' +
          'set it to the https address that they see',
      ),
    ]
  }
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || isLoopback(hostname)) return [good(what, publicUrl)]
  return [bad(what, `${publicUrl} is not encrypted: passwords and passes can be read on the way; serve it by https`)]
}

/** Behind a proxy that is not named, everybody has the proxy's address, and limits per address hit all of them at once. */
function judgeProxy({ publicUrl, host, trustedProxies, mode }: Config): Finding[] {
  const what = 'proxy'
  const wide = trustedProxies.find((network) => /\/[0-7]$/.test(network))
  if (wide !== undefined) {
    return [bad(what, `SEATWISE_TRUST_PROXY believes ${wide}, so that anybody can claim any address: name the proxies`)]
  }
  if (trustedProxies.length > 0) return [good(what, `believes ${trustedProxies.join(', ')}`)]
  // Seatwise itself does not speak TLS: where visitors come by https, something stands in front.
  const isBehindProxy = publicUrl?.startsWith('https:') ?? false
  if (!isBehindProxy || (mode === 'embedded' && isLoopback(host) && publicUrl === null)) return []
  return [
    bad(
      what,
      'visitors come by https through a proxy, but SEATWISE_TRUST_PROXY does not name it: all of them would count as ' +
        'one address, and limits would shut out everybody at once',
    ),
  ]
}

function judgeMoney({ payments, smtpUrl, mode }: Config): Finding[] {
  if (mode === 'embedded') return []
  return [
    payments.provider === 'sandbox'
      ? weak('payments', 'the sandbox takes no real money: set SEATWISE_PAYMENTS=stripe for a real sale')
      : good('payments', payments.provider),
    smtpUrl === null
      ? weak('mail', 'SEATWISE_SMTP_URL is not set: nobody gets a confirmation by mail')
      : good('mail', new URL(smtpUrl).host),
  ]
}

function judgeOpenDoors({ rateLimits, privateWebhooks, demo, faults, mode }: Config): Finding[] {
  const findings: Finding[] = []
  if (!rateLimits) findings.push(bad('rate limits', 'SEATWISE_RATE_LIMITS=off is for load tests: remove it'))
  if (privateWebhooks) {
    findings.push(
      bad('webhooks', 'SEATWISE_PRIVATE_WEBHOOKS=on lets organisers reach machines inside your network: remove it'),
    )
  }
  if (demo && mode === 'distributed') findings.push(weak('demo sale', 'SEATWISE_DEMO=on shows visitors a demo sale'))
  if (faults !== null) findings.push(bad('faults', 'SEATWISE_FAULTS breaks the program on purpose: remove it'))
  return findings
}
