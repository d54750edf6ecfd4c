/** Reads numbers and short texts from bytes. Past the end, bytes are zero and texts stop: damage causes no errors. */

export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

export function u16be(bytes: Uint8Array, at: number): number {
  return (u8(bytes, at) << 8) | u8(bytes, at + 1)
}

export function u16le(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) | (u8(bytes, at + 1) << 8)
}

export function u24be(bytes: Uint8Array, at: number): number {
  return (u8(bytes, at) << 16) | u16be(bytes, at + 1)
}

export function u24le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) | (u8(bytes, at + 2) << 16)
}

export function u32be(bytes: Uint8Array, at: number): number {
  return u16be(bytes, at) * 65_536 + u16be(bytes, at + 2)
}

export function u32le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u16le(bytes, at + 2) * 65_536
}

export function i32le(bytes: Uint8Array, at: number): number {
  return u32le(bytes, at) | 0
}

export function i32be(bytes: Uint8Array, at: number): number {
  return u32be(bytes, at) | 0
}

/** 64-bit unsigned, exact up to 2^53: larger values only occur in damaged files. */
export function u64be(bytes: Uint8Array, at: number): number {
  return u32be(bytes, at) * 4_294_967_296 + u32be(bytes, at + 4)
}

/** `length` bytes as Latin-1 characters: four-letter codes, magic words. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  let text = ''
  for (let i = at; i < at + length && i < bytes.length; i++) text += String.fromCharCode(u8(bytes, i))
  return text
}

export function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Offset of the next occurrence of `pattern` at or after `from`; -1 if there is none. */
export function indexOfBytes(bytes: Uint8Array, pattern: Uint8Array | string, from = 0): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(pattern, from, 'latin1')
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  return new Uint8Array(Buffer.concat(parts))
}
