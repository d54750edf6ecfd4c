/** H.264: the size of the picture out of the first sequence parameter set. */
import { u8 } from '../binary.ts'

/** Width, height and, where it is told, the frame rate of a byte stream (Annex B). Empty when there is no set in it. */
export function avcSize(bytes: Uint8Array): { width?: number; height?: number; frameRate?: number } {
  for (const unit of unitsOf(bytes, 7)) {
    const size = parameterSet(unit)
    if (size.width > 0 && size.height > 0 && size.width <= 16_384 && size.height <= 16_384) return size
  }
  return {}
}

/** The network units of one type, without their escape bytes; at most a few hundred are looked at. */
export function* unitsOf(bytes: Uint8Array, type: number): Generator<Uint8Array> {
  let start = -1
  let count = 0
  for (let at = 0; at + 3 <= bytes.length && count < 500; at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue
    if (start >= 0 && (u8(bytes, start) & 31) === type) yield unescaped(bytes.subarray(start + 1, at))
    start = at + 3
    count++
    at += 2
  }
  if (start >= 0 && (u8(bytes, start) & 31) === type) yield unescaped(bytes.subarray(start + 1, start + 65_536))
}

/** A 3 after two zeros is there only so that no start code can occur inside. */
function unescaped(bytes: Uint8Array): Uint8Array {
  const clean = new Uint8Array(bytes.length)
  let length = 0
  let zeros = 0
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    clean[length++] = byte
  }
  return clean.subarray(0, length)
}

interface Bits {
  fixed(width: number): number
  /** Exponential Golomb code, unsigned. */
  golomb(): number
}

function bitsOf(bytes: Uint8Array): Bits {
  let at = 0
  const bit = () => {
    const value = (u8(bytes, at >> 3) >> (7 - (at & 7))) & 1
    at++
    return value
  }
  const fixed = (width: number) => {
    let value = 0
    for (let i = 0; i < width; i++) value = value * 2 + bit()
    return value
  }
  const golomb = () => {
    let zeros = 0
    while (zeros < 32 && bit() === 0) zeros++
    return 2 ** zeros - 1 + fixed(zeros)
  }
  return { fixed, golomb }
}

const withChroma = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

/** ISO 14496-10, 7.3.2.1. */
function parameterSet(unit: Uint8Array): { width: number; height: number; frameRate?: number } {
  const bits = bitsOf(unit)
  const profile = bits.fixed(8)
  bits.fixed(16)
  bits.golomb()
  const chroma = withChroma.has(profile) ? chromaFormat(bits) : 1
  bits.golomb()
  skipOrder(bits)
  bits.golomb()
  bits.fixed(1)
  const widthInBlocks = bits.golomb() + 1
  const heightInUnits = bits.golomb() + 1
  const isProgressive = bits.fixed(1)
  if (isProgressive === 0) bits.fixed(1)
  bits.fixed(1)
  const [left, right, top, bottom] = bits.fixed(1) === 1 ? [0, 0, 0, 0].map(() => bits.golomb()) : [0, 0, 0, 0]
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1
  const unitY = (chroma === 1 ? 2 : 1) * (2 - isProgressive)
  const width = widthInBlocks * 16 - unitX * ((left ?? 0) + (right ?? 0))
  const height = (2 - isProgressive) * heightInUnits * 16 - unitY * ((top ?? 0) + (bottom ?? 0))
  return { width, height, frameRate: frameRateOf(bits) }
}

function chromaFormat(bits: Bits): number {
  const format = bits.golomb()
  if (format === 3) bits.fixed(1)
  bits.golomb()
  bits.golomb()
  bits.fixed(1)
  if (bits.fixed(1) === 1) {
    for (let i = 0; i < (format === 3 ? 12 : 8); i++) if (bits.fixed(1) === 1) skipScaling(bits, i < 6 ? 16 : 64)
  }
  return format
}

function skipScaling(bits: Bits, size: number): void {
  let last = 8
  let next = 8
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + signed(bits.golomb()) + 256) % 256
    last = next === 0 ? last : next
  }
}

function signed(code: number): number {
  return code % 2 === 0 ? -code / 2 : (code + 1) / 2
}

function skipOrder(bits: Bits): void {
  const kind = bits.golomb()
  if (kind === 0) bits.golomb()
  if (kind !== 1) return
  bits.fixed(1)
  bits.golomb()
  bits.golomb()
  const count = Math.min(bits.golomb(), 255)
  for (let i = 0; i < count; i++) bits.golomb()
}

/** Out of the usability information; a tick there is half a frame. */
function frameRateOf(bits: Bits): number | undefined {
  if (bits.fixed(1) === 0) return undefined
  if (bits.fixed(1) === 1 && bits.fixed(8) === 255) bits.fixed(32)
  if (bits.fixed(1) === 1) bits.fixed(1)
  if (bits.fixed(1) === 1) {
    bits.fixed(4)
    if (bits.fixed(1) === 1) bits.fixed(24)
  }
  if (bits.fixed(1) === 1) {
    bits.golomb()
    bits.golomb()
  }
  if (bits.fixed(1) === 0) return undefined
  const ticks = bits.fixed(32)
  const scale = bits.fixed(32)
  const rate = ticks > 0 ? scale / ticks / 2 : 0
  return rate >= 1 && rate <= 480 ? rate : undefined
}
