import { BlockList, isIPv6 } from 'node:net'

const PRIVATE_NETWORKS = new BlockList()
PRIVATE_NETWORKS.addSubnet('127.0.0.0', 8, 'ipv4')
PRIVATE_NETWORKS.addSubnet('10.0.0.0', 8, 'ipv4')
PRIVATE_NETWORKS.addSubnet('172.16.0.0', 12, 'ipv4')
PRIVATE_NETWORKS.addSubnet('192.168.0.0', 16, 'ipv4')
PRIVATE_NETWORKS.addAddress('::1', 'ipv6')
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6')

/** Loopback, RFC 1918 and RFC 4193 addresses; also IPv4 addresses written as IPv6. */
export function isPrivate(address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = unmapped(address)
  return PRIVATE_NETWORKS.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/**
 * What counts as one sender for rate limits: an IPv4 address, or the /64 network of an IPv6 address, because a host
 * with one such address can use its whole network.
 */
export function senderOf(address: string): string {
  const plain = unmapped(address)
  if (!isIPv6(plain)) return plain
  const network = groupsOf(plain).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** What counts as one network in statistics: a /24 of IPv4, a /48 of IPv6, which is about what one connection gets. */
export function networkOf(address: string): string {
  const plain = unmapped(address)
  if (!isIPv6(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  const network = groupsOf(plain).slice(0, 3)
  return `${network.map((group) => group.toString(16)).join(':')}::/48`
}

/** An IPv4 address written as IPv6 counts as IPv4, in any spelling. */
function unmapped(address: string): string {
  if (!address.includes(':')) return address
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (dotted !== undefined || !isIPv6(address)) return dotted ?? address
  const [high = 0, low = 0] = groupsOf(address).slice(6)
  const isMapped = groupsOf(address).every((group, index) => index > 5 || group === (index === 5 ? 0xffff : 0))
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : address
}

/** The eight groups of an IPv6 address, in any spelling: zeros left out, capitals, a dotted end, a zone. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::', 2) ?? []
  const [front, back] = [readGroups(head), readGroups(tail ?? '')]
  return [...front, ...new Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back]
}

function readGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
