/** Where traces go, and how many requests are traced. */
export interface TraceSettings {
  /** An OTLP/HTTP endpoint, without the path of a signal. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** From 0 to 1. */
  readonly share: number
}

const SHARE = '0.01'

/** Null without an endpoint: nothing of tracing is loaded then. Problems never repeat headers, which may hold a key. */
export function readTraces(
  value: (
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG',
  ) => string | null,
  problems: string[],
): TraceSettings | null {
  const url = value('OTEL_EXPORTER_OTLP_ENDPOINT')
  const text = value('OTEL_TRACES_SAMPLER_ARG') ?? SHARE
  const share = /^[01]?(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (!(share >= 0 && share <= 1)) {
    problems.push(`OTEL_TRACES_SAMPLER_ARG must be a share of the requests from 0 to 1, not "${text}".`)
  }
  const pairs = (value('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',').filter((pair) => pair.trim() !== '')
  if (pairs.some((pair) => !/^\s*[\w-]+\s*=[^\r\n]+$/.test(pair))) {
    problems.push('OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value.')
  }
  if (url === null) return null
  if (!URL.canParse(url) || !/^https?:\/\//.test(url)) {
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318.')
  }
  return { url: url.replace(/\/$/, ''), headers: Object.fromEntries(pairs.map(split)), share }
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
}
