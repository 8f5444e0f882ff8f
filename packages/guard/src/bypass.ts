import type { GuardRequest } from './adapters/request.ts'

/** Who must not wait, beside paths: monitors, partners, an office. Each rule alone is enough. */
export interface BypassRules {
  /** A header and its secret value, or several; at least 16 characters, because whoever knows it never waits. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Addresses and networks of clients, such as 192.0.2.7, 198.51.100.0/24 and 2001:db8::/32. */
  readonly networks?: readonly string[]
  /**
   * The client's address, where the adapter does not know it (forFetch), or knows only that of a proxy. Without it the address
   * of the connection counts, or in Express and Fastify what their own setting about proxies makes of it.
   */
  readonly addressOf?: (header: (name: string) => string | undefined) => string | undefined
}

const SECRET_LENGTH_MIN = 16
const HEADER_NAME = /^[a-z0-9-]+$/
/** Bits of an address as it is compared: those of version 4 are mapped into version 6. */
const BITS = 128
const BITS_OF_4 = 32
const MAPPED = 0xffffn << 32n

interface Network {
  readonly prefix: bigint
  readonly shift: bigint
}

/** Whether a request needs no pass, by its headers or its client's network. Says what is wrong with the rules. */
export function createBypass(rules: BypassRules | undefined, problems: string[]): (request: GuardRequest) => boolean {
  if (rules === undefined) return () => false
  const headers = Object.entries(rules.headers ?? {}).map(([name, values]) =>
    readHeader(name, [values].flat(), problems),
  )
  const networks = (rules.networks ?? []).map((text) => readNetwork(text, problems))
  const { addressOf } = rules
  return (request) => {
    if (headers.some(({ name, values }) => isOneOf(request.header(name), values))) return true
    if (networks.length === 0) return false
    const text = addressOf === undefined ? request.address : addressOf((name) => request.header(name))
    const address = text === undefined ? null : readAddress(text)
    return address !== null && networks.some(({ prefix, shift }) => address >> shift === prefix)
  }
}

function readHeader(name: string, values: readonly string[], problems: string[]) {
  const lower = name.toLowerCase()
  if (!HEADER_NAME.test(lower)) problems.push(`bypass: "${name}" is not the name of a header.`)
  if (values.length === 0 || values.some((value) => value.length < SECRET_LENGTH_MIN)) {
    problems.push(`bypass: the value of ${name} must be a secret of at least ${SECRET_LENGTH_MIN} characters.`)
  }
  return { name: lower, values }
}

/** Takes the same time however much of the value is right. */
function isOneOf(given: string | undefined, values: readonly string[]): boolean {
  if (given === undefined) return false
  let found = 0
  for (const value of values) {
    let difference = given.length ^ value.length
    for (let index = 0; index < value.length; index++) difference |= given.charCodeAt(index) ^ value.charCodeAt(index)
    found |= Number(difference === 0)
  }
  return found === 1
}

function readNetwork(text: string, problems: string[]): Network {
  const [of = '', bits, ...rest] = text.split('/')
  const address = readAddress(of)
  const most = of.includes(':') ? BITS : BITS_OF_4
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  const shift = BigInt(length <= most ? most - length : 0)
  const isWhole = address !== null && (address >> shift) << shift === address
  if (rest.length === 0 && length <= most && isWhole) return { prefix: address >> shift, shift }
  problems.push(
    `bypass: "${text}" must be an address or a network such as 198.51.100.0/24, without bits behind the slash.`,
  )
  return { prefix: -1n, shift: 0n }
}

/** Null for anything but an address; a zone (`%eth0`) is left out. */
function readAddress(text: string): bigint | null {
  const [plain = ''] = text.split('%')
  if (!plain.includes(':')) {
    const four = readFour(plain)
    return four === null ? null : MAPPED | four
  }
  // The last two groups may be written as an address of version 4.
  const [, four] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(plain) ?? []
  const last = four === undefined ? null : readFour(four)
  if (four !== undefined && last === null) return null
  const whole = last === null ? plain : plain.slice(0, -(four?.length ?? 0)) + inGroups(last)
  const [before = '', behind, ...more] = whole.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = behind === undefined || behind === '' ? [] : behind.split(':')
  const missing = 8 - head.length - tail.length
  if (more.length > 0 || (behind === undefined ? missing !== 0 : missing < 1)) return null
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

function readFour(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || parts.some((part) => !/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255)) return null
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
}

function inGroups(four: bigint): string {
  return `${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`
}
