/** Decodes JPEG XL with libjxl compiled to WebAssembly: sharp's libvips does not support it. */
import { readFileSync } from 'node:fs'
import wasmPath from '@jsquash/jxl/codec/dec/jxl_dec.wasm' with { type: 'file' }
import { reasonOf } from '../../../schema/errors.ts'
import type { Pixels } from '../decode/fingerprints.ts'
import { MediaProblem } from '../media-problem.ts'

interface Decoder {
  decode(bytes: Uint8Array): unknown
}

let decoder: Promise<Decoder> | undefined

async function load(): Promise<Decoder> {
  const { default: instantiate } = await import('@jsquash/jxl/codec/dec/jxl_dec.js')
  const instance: unknown = await instantiate({ wasmBinary: readFileSync(wasmPath), noInitialRun: true })
  if (!isDecoder(instance)) throw new Error('The JPEG XL decoder does not start')
  return instance
}

function isDecoder(value: unknown): value is Decoder {
  return typeof value === 'object' && value !== null && 'decode' in value && typeof value.decode === 'function'
}

function isPicture(value: unknown): value is { data: Uint8Array; width: number; height: number } {
  return typeof value === 'object' && value !== null && 'data' in value && 'width' in value && 'height' in value
}

/** The first frame, upright, in sRGB: blocks this process for some 2.5 s. The caller has checked the size. */
export async function decodeJxl(bytes: Uint8Array): Promise<Pixels> {
  decoder ??= load()
  const { decode } = await decoder
  try {
    const picture = decode(bytes)
    if (!isPicture(picture)) throw new MediaProblem('undecodable', 'The JPEG XL data are damaged')
    const { data, width, height } = picture
    return { data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height, channels: 4 }
  } catch (error) {
    if (error instanceof MediaProblem) throw error
    throw new MediaProblem('undecodable', `libjxl: ${reasonOf(error)}`, error)
  } finally {
    // Frees the memory, which only grows; pictures of this kind are rare, and starting again takes 30 ms.
    decoder = undefined
    Bun.gc(true)
  }
}
