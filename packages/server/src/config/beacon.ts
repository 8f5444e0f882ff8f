/** A public source of random numbers that no one can know or choose ahead: a chain of drand. */
export interface BeaconChain {
  /** In hex. */
  readonly hash: string
  /** On G2, compressed, in hex. */
  readonly publicKey: string
  readonly genesisSeconds: number
  readonly periodSeconds: number
}

const QUICKNET: BeaconChain = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisSeconds: 1_692_803_367,
  periodSeconds: 3,
}

/** Where drand publishes its rounds; each has all of them, so the order is only a preference. */
const DRAND_URLS: readonly string[] = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
]

/** A chain, and the addresses that are asked for its rounds. */
export interface Beacon {
  readonly chain: BeaconChain
  readonly urls: readonly string[]
}

export const PUBLIC_BEACON: Beacon = { chain: QUICKNET, urls: DRAND_URLS }

/** The seal must be signed before the round exists. Rule J11. */
const SEALED_BEFORE_MS = 10_000

/** The first round at or after 10 s from an instant. */
export function roundAfter({ genesisSeconds, periodSeconds }: BeaconChain, atMs: number): number {
  const seconds = (atMs + SEALED_BEFORE_MS) / 1_000 - genesisSeconds
  return Math.max(1, Math.ceil(seconds / periodSeconds) + 1)
}

export function timeOfRound({ genesisSeconds, periodSeconds }: BeaconChain, round: number): number {
  return (genesisSeconds + periodSeconds * (round - 1)) * 1_000
}

/** `problems` gets a sentence for each setting that cannot be read. */
export function readBeacon(urls: string | null, chain: string | null, problems: string[]): Beacon {
  return {
    chain: chain === null ? QUICKNET : (readChain(chain) ?? refuse('SEATWISE_DRAND_CHAIN', CHAIN_FORM, QUICKNET)),
    urls: urls === null ? DRAND_URLS : (readUrls(urls) ?? refuse('SEATWISE_DRAND_URLS', URLS_FORM, DRAND_URLS)),
  }

  function refuse<Value>(setting: string, form: string, instead: Value): Value {
    problems.push(`${setting} ${form}.`)
    return instead
  }
}

const CHAIN_FORM = 'must be hash, public key, genesis in seconds and period in seconds, between commas'
const URLS_FORM = 'must be http or https addresses between commas'

function readChain(text: string): BeaconChain | null {
  const found = /^([0-9a-f]{64}),([0-9a-f]{192}),(\d{1,12}),(\d{1,5})$/.exec(text)
  if (found === null) return null
  const [, hash = '', publicKey = '', genesis, period] = found
  const periodSeconds = Number(period)
  return periodSeconds === 0 ? null : { hash, publicKey, genesisSeconds: Number(genesis), periodSeconds }
}

function readUrls(text: string): string[] | null {
  const urls = text.split(',').map((url) => URL.parse(url.trim()))
  return urls.every((url) => url?.protocol === 'https:' || url?.protocol === 'http:')
    ? urls.map((url) => (url?.href ?? '').replace(/\/$/, ''))
    : null
}
