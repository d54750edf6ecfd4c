/** Pixels with a colour profile as a file that sharp reads: raw pixels alone cannot carry one. */
import type { Pixels } from './fingerprints.ts'

const short = 3
const long = 4
const undefinedBytes = 7

/** An uncompressed TIFF of one strip (TIFF 6.0) with the profile in tag 34675. */
export function profiledTiff({ data, width, height, channels }: Pixels, profile: Uint8Array): Uint8Array {
  const entries: [tag: number, type: number, count: number, value: number][] = []
  const directoryAt = 8
  const count = channels === 4 ? 12 : 11
  const bitsAt = directoryAt + 2 + count * 12 + 4
  const profileAt = bitsAt + channels * 2
  const pixelsAt = profileAt + profile.length + (profile.length % 2)
  entries.push([256, long, 1, width], [257, long, 1, height], [258, short, channels, bitsAt], [259, short, 1, 1])
  entries.push([262, short, 1, 2], [273, long, 1, pixelsAt], [277, short, 1, channels], [278, long, 1, height])
  entries.push([279, long, 1, data.length], [284, short, 1, 1])
  // Unassociated alpha.
  if (channels === 4) entries.push([338, short, 1, 2])
  entries.push([34675, undefinedBytes, profile.length, profileAt])
  const file = Buffer.allocUnsafe(pixelsAt + data.length)
  file.fill(0, 0, pixelsAt)
  file.write('II*\0', 0, 'latin1')
  file.writeUInt32LE(directoryAt, 4)
  file.writeUInt16LE(entries.length, directoryAt)
  entries.forEach(([tag, type, many, value], index) => {
    const at = directoryAt + 2 + index * 12
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(many, at + 4)
    file.writeUInt32LE(value, at + 8)
  })
  for (let channel = 0; channel < channels; channel++) file.writeUInt16LE(8, bitsAt + channel * 2)
  file.set(profile, profileAt)
  file.set(data, pixelsAt)
  return file
}
