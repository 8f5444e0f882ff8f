import { BlockList, isIPv6 } from 'node:net'

const PRIVATE_NETWORKS = new BlockList()
PRIVATE_NETWORKS.addSubnet('127.0.0.0', 8, 'ipv4')
PRIVATE_NETWORKS.addSubnet('10.0.0.0', 8, 'ipv4')
PRIVATE_NETWORKS.addSubnet('172.16.0.0', 12, 'ipv4')
PRIVATE_NETWORKS.addSubnet('192.168.0.0', 16, 'ipv4')
PRIVATE_NETWORKS.addAddress('::1', 'ipv6')
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6')

/** Loopback, RFC 1918 and RFC 4193; also IPv4 addresses written as IPv6. */
export function isPrivate(address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = unmapped(address)
  return PRIVATE_NETWORKS.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/**
 * What counts as one sender when requests are limited: an IPv4 address, or the /64 network of an IPv6 address, because
 * whoever has one such address has all of its network.
 */
export function senderOf(address: string): string {
  const plain = unmapped(address)
  if (!isIPv6(plain)) return plain
  return `${firstFourGroups(plain).join(':')}::/64`
}

function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function firstFourGroups(address: string): string[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::', 2) ?? []
  const front = head === '' ? [] : head.split(':')
  if (tail === undefined) return front.slice(0, 4)
  const back = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return [...front, ...zeros, ...back].slice(0, 4)
}
