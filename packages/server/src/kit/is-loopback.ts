/** Whether traffic to this host never leaves the machine. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '')
  return plain === 'localhost' || plain === '::1' || plain.startsWith('127.') || plain === '' || plain.startsWith('/')
}
