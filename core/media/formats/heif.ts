/** Decodes HEIC pictures with libheif compiled to WebAssembly: sharp's own libheif has no HEVC. */
import { readFileSync } from 'node:fs'
import type { heif_image, heif_image_handle } from 'libheif-js/libheif-wasm/libheif.js'
import wasmPath from 'libheif-js/libheif-wasm/libheif.wasm' with { type: 'file' }
import { reasonOf } from '../../../schema/errors.ts'
import { ascii } from '../../metadata/binary.ts'
import { type ByteSource, memorySource } from '../../metadata/byte-source.ts'
import { boxesIn, findBox } from '../../metadata/containers/boxes.ts'
import type { Pixels } from '../decode/fingerprints.ts'
import { profiledTiff } from '../decode/profiled-pixels.ts'
import { maxPixels } from '../decode/sharp.ts'
import { MediaProblem } from '../media-problem.ts'

type LibHeif = ReturnType<Awaited<typeof import('libheif-js/libheif-wasm/libheif.js')>['default']>

let code: Promise<() => LibHeif> | undefined

/** Compiles the code once. Every picture gets a separate instance, because an instance's memory only grows. */
async function load(): Promise<() => LibHeif> {
  const { default: instantiate } = await import('libheif-js/libheif-wasm/libheif.js')
  const compiled = new WebAssembly.Module(readFileSync(wasmPath))
  return () =>
    instantiate({
      instantiateWasm: (imports: Bun.WebAssembly.Imports, done: (instance: WebAssembly.Instance) => unknown) =>
        done(new WebAssembly.Instance(compiled, imports)),
    })
}

/**
 * A decoded picture. It is upright: libheif applies the container's rotation and mirroring, and EXIF's orientation must
 * not be added. A picture with a colour profile is returned as a file that contains it, any other as pixels.
 */
export interface HeifPicture {
  input: Uint8Array | Pixels
  width: number
  height: number
}

/** Decodes the primary picture: about 0.6 s for 12 megapixels, during which this process is blocked. */
export async function decodeHeif(bytes: Uint8Array): Promise<HeifPicture> {
  code ??= load()
  const start = await code
  // The previous picture's memory is large and outside of the heap, so the garbage collector does not know of it.
  Bun.gc(true)
  try {
    return decodePrimary(start(), bytes)
  } catch (error) {
    if (error instanceof MediaProblem) throw error
    throw new MediaProblem('undecodable', `libheif: ${reasonOf(error)}`, error)
  } finally {
    Bun.gc(true)
  }
}

/** libheif's message; `otherwise` if there is none. */
function heifReason(message: unknown, otherwise: string): string {
  const reason = String(message ?? '').trim()
  return reason === '' || reason === 'Success' ? otherwise : reason
}

function decodePrimary(heif: LibHeif, bytes: Uint8Array): HeifPicture {
  const context = heif.heif_context_alloc()
  try {
    const read = heif.heif_context_read_from_memory(context, bytes)
    const handle: unknown = heif.heif_js_context_get_primary_image_handle(context)
    const trouble = heifReason(read.message, 'There is no picture in it')
    if (!isHandle(handle)) throw new MediaProblem('undecodable', trouble)
    try {
      return decodeHandle(
        heif,
        handle,
        profileOf(memorySource(bytes)),
        heifReason(read.message, 'The picture data are damaged'),
      )
    } finally {
      heif.heif_image_handle_release(handle)
    }
  } finally {
    heif.heif_context_free(context)
  }
}

function decodeHandle(
  heif: LibHeif,
  handle: heif_image_handle,
  profile: Uint8Array | null,
  trouble: string,
): HeifPicture {
  const width = heif.heif_image_handle_get_width(handle)
  const height = heif.heif_image_handle_get_height(handle)
  if (width * height > maxPixels) throw new MediaProblem('too-large', `${width} × ${height} pixels are too many`)
  const hasAlpha = heif.heif_image_handle_has_alpha_channel(handle) !== 0
  const chroma = hasAlpha ? heif.heif_chroma.heif_chroma_interleaved_RGBA : heif.heif_chroma.heif_chroma_interleaved_RGB
  const decoded: unknown = heif.heif_js_decode_image2(handle, heif.heif_colorspace.heif_colorspace_RGB, chroma)
  if (!isDecoded(decoded)) throw new MediaProblem('undecodable', trouble)
  try {
    const [plane] = decoded.channels
    if (plane === undefined) throw new MediaProblem('undecodable', 'The picture has no pixels')
    const channels = hasAlpha ? 4 : 3
    const size = { width: plane.width, height: plane.height }
    if (profile !== null) {
      const { file, pixels } = profiledTiff(size.width, size.height, channels, profile)
      pack(plane, channels, pixels)
      return { input: file, ...size }
    }
    const data = Buffer.allocUnsafe(size.width * size.height * channels)
    pack(plane, channels, data)
    return { input: { data, channels, ...size }, ...size }
  } finally {
    heif.heif_image_release(decoded.image)
  }
}

interface Plane {
  width: number
  height: number
  stride: number
  data: Uint8Array
}

/** Whether a value is a handle: failures are objects with a code. */
function isHandle(value: unknown): value is heif_image_handle {
  return typeof value === 'object' && value !== null && !('code' in value)
}

function isDecoded(value: unknown): value is { image: heif_image; channels: Plane[] } {
  return typeof value === 'object' && value !== null && 'channels' in value && Array.isArray(value.channels)
}

/** Copies rows from the library's memory, where there may be gaps between them. */
function pack({ width, height, stride, data }: Plane, channels: number, to: Uint8Array): void {
  const length = width * channels
  for (let row = 0; row < height; row++) to.set(data.subarray(row * stride, row * stride + length), row * length)
}

/** The first ICC profile among the properties; pictures of one file share it. */
function profileOf(source: ByteSource): Uint8Array | null {
  const meta = findBox(source, 0, source.size, 'meta')
  // A 'meta' box is a full box: four bytes of version and flags come first.
  const properties = meta && findBox(source, meta.start + 4, meta.end, 'iprp')
  const list = properties && findBox(source, properties.start, properties.end, 'ipco')
  if (list === undefined) return null
  for (const box of boxesIn(source, list.start, list.end)) {
    if (box.type !== 'colr') continue
    const content = source.read(box.start, box.end - box.start)
    const type = ascii(content, 0, 4)
    if (type === 'prof' || type === 'rICC') return content.subarray(4)
  }
  return null
}
