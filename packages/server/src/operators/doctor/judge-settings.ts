import { availableParallelism } from 'node:os'
import type { Config } from '../../config/index.ts'
import { isLoopback } from '../../kit/index.ts'
import { bad, type Finding, good, weak } from './finding.ts'

/** A random generator produces fewer different bytes than this less than once in a million times. */
const DIFFERENT_BYTES_MIN = 16

/** Findings from the settings alone, without asking any store. They are valid; that does not make them safe. */
export function judgeSettings(config: Config): Finding[] {
  return [
    good('settings', `${config.mode} mode`),
    ...config.secrets.map(judgeSecret),
    ...judgeAddress(config),
    ...judgeProxy(config),
    ...judgeMoney(config),
    ...judgeStrength(config),
    ...judgeOpenDoors(config),
    ...judgeWorkers(config),
    ...judgeDraining(config),
  ]
}

function judgeSecret(secret: Buffer, index: number): Finding {
  const what = index === 0 ? 'secret' : `secret ${index + 1}`
  if (new Set(secret).size >= DIFFERENT_BYTES_MIN) return good(what, `${secret.length} bytes`)
  return bad(what, 'secretGuessable')
}

function judgeAddress({ publicUrl, host, mode }: Config): Finding[] {
  const what = 'public address'
  if (publicUrl === null) {
    if (mode === 'embedded' && isLoopback(host)) return [good(what, 'only this machine can reach it')]
    return [bad(what, 'addressMissing')]
  }
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || isLoopback(hostname)) return [good(what, publicUrl)]
  return [bad(what, 'addressPlain', { url: publicUrl })]
}

/**
 * Behind a proxy that is not configured, all visitors share the proxy's address, and limits per address hit all of
 * them.
 */
function judgeProxy({ publicUrl, host, trustedProxies, mode }: Config): Finding[] {
  const what = 'proxy'
  const wide = trustedProxies.find((network) => /\/[0-7]$/.test(network))
  if (wide !== undefined) {
    return [bad(what, 'proxyWide', { network: wide })]
  }
  if (trustedProxies.length > 0) return [good(what, `believes ${trustedProxies.join(', ')}`)]
  // Seatwise itself does not speak TLS: where visitors come by https, there is a proxy in front.
  const isBehindProxy = publicUrl?.startsWith('https:') ?? false
  if (!isBehindProxy || (mode === 'embedded' && isLoopback(host) && publicUrl === null)) return []
  return [bad(what, 'proxyUnnamed')]
}

function judgeMoney({ payments, smtpUrl, mode }: Config): Finding[] {
  if (mode === 'embedded') return []
  return [
    payments.provider === 'sandbox' ? weak('payments', 'paymentsSandbox') : good('payments', payments.provider),
    smtpUrl === null ? weak('mail', 'mailMissing') : good('mail', new URL(smtpUrl).host),
  ]
}

function judgeStrength({ strongSignIn, mode }: Config): Finding[] {
  const what = 'strong sign-in'
  if (strongSignIn) return [good(what, 'managers and admins show a passkey')]
  return mode === 'embedded' ? [] : [weak(what, 'strongOff')]
}

function judgeOpenDoors({ rateLimits, privateWebhooks, demo, faults, mode }: Config): Finding[] {
  const findings: Finding[] = []
  if (!rateLimits) findings.push(bad('rate limits', 'limitsOff'))
  if (privateWebhooks) {
    findings.push(bad('webhooks', 'webhooksPrivate'))
  }
  if (demo && mode === 'distributed') findings.push(weak('demo sale', 'demoOn'))
  if (faults !== null) findings.push(bad('faults', 'faultsOn'))
  return findings
}

/** More processes than cores only take memory and turns from each other. */
function judgeWorkers({ workers, mode }: Config): Finding[] {
  if (mode === 'embedded') return []
  const what = 'workers'
  const cores = availableParallelism()
  if (workers > cores) return [weak(what, 'workersMany', { workers: String(workers), cores: String(cores) })]
  return [good(what, `${workers} on ${cores} cores`)]
}

/** Behind a proxy, requests still come after the stop began, until a health check has failed. */
function judgeDraining({ drainSeconds, trustedProxies, mode }: Config): Finding[] {
  if (mode === 'embedded' || trustedProxies.length === 0) return []
  const what = 'draining'
  return [drainSeconds === 0 ? weak(what, 'drainNone') : good(what, `${drainSeconds} s`)]
}
