/** Client addresses: networks, and which addresses count as one client. */
import { isIPv4, isIPv6 } from 'node:net'

/** Converts ::ffff:192.0.2.1, as IPv6 sockets report IPv4 addresses, to 192.0.2.1; any other text is unchanged. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The address as a number with its length in bits; null for invalid ones. */
function numberOf(address: string): { value: bigint; bits: 32 | 128 } | null {
  const plain = plainAddress(address)
  if (isIPv4(plain))
    return { value: BigInt(`0x${Buffer.from(plain.split('.').map(Number)).toString('hex')}`), bits: 32 }
  const [bare = ''] = plain.split('%')
  if (!isIPv6(bare)) return null
  // The last 32 bits may be written as IPv4 (RFC 4291, 2.2).
  const text = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail] = text.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return { value: BigInt(`0x${groups.map(group => group.padStart(4, '0')).join('')}`), bits: 128 }
}

/** The key by which limits count: an IPv4 address itself, for IPv6 the /64 that a provider gives each customer. */
export function addressKey(address: string): string {
  const number = numberOf(address)
  if (number === null || number.bits === 32) return plainAddress(address)
  const hex = (number.value >> 64n).toString(16).padStart(16, '0')
  return `${hex.match(/.{4}/g)?.join(':')}::/64`
}

/** `network`: a single address, or an address with a prefix length (10.0.0.0/8, fd00::/8). */
export function isInNetwork(address: string, network: string): boolean {
  const [base = '', length] = network.split('/')
  const [mine, theirs] = [numberOf(address), numberOf(base)]
  if (mine === null || theirs === null || mine.bits !== theirs.bits) return false
  const shift = BigInt(theirs.bits - (length === undefined ? theirs.bits : Number(length)))
  return mine.value >> shift === theirs.value >> shift
}
