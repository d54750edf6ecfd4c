/** Pixels with a colour profile as a file for sharp, since raw pixels cannot have a profile. */

/** Types of TIFF fields. */
const short = 3
const long = 4
const undefinedType = 7
/** Rows per strip: sharp then reads and frees the picture piece by piece. */
const stripRows = 64

export interface ProfiledPixels {
  file: Uint8Array
  /** Where the pixels belong: rows from the top without gaps. */
  pixels: Uint8Array
}

/** An uncompressed TIFF (TIFF 6.0) with the profile in tag 34675. The caller fills in the pixels. */
export function profiledTiff(width: number, height: number, channels: 3 | 4, profile: Uint8Array): ProfiledPixels {
  const strips = Math.ceil(height / stripRows)
  const rowLength = width * channels
  const count = channels === 4 ? 12 : 11
  const directoryAt = 8
  const bitsAt = directoryAt + 2 + count * 12 + 4
  const offsetsAt = bitsAt + channels * 2
  const lengthsAt = offsetsAt + strips * 4
  const profileAt = lengthsAt + strips * 4
  const pixelsAt = profileAt + profile.length + (profile.length % 2)
  const file = Buffer.allocUnsafe(pixelsAt + rowLength * height)
  file.fill(0, 0, pixelsAt)
  const stripAt = (strip: number) => pixelsAt + strip * stripRows * rowLength
  const stripLength = (strip: number) => Math.min(stripRows, height - strip * stripRows) * rowLength
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, channels, bitsAt],
    [259, short, 1, 1],
    [262, short, 1, 2],
    [273, long, strips, strips === 1 ? stripAt(0) : offsetsAt],
    [277, short, 1, channels],
    [278, long, 1, stripRows],
    [279, long, strips, strips === 1 ? stripLength(0) : lengthsAt],
    [284, short, 1, 1],
    // Unassociated alpha.
    ...(channels === 4 ? [[338, short, 1, 2] satisfies [number, number, number, number]] : []),
    [34675, undefinedType, profile.length, profileAt],
  ]
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
  for (let strip = 0; strip < strips; strip++) {
    file.writeUInt32LE(stripAt(strip), offsetsAt + strip * 4)
    file.writeUInt32LE(stripLength(strip), lengthsAt + strip * 4)
  }
  file.set(profile, profileAt)
  return { file, pixels: file.subarray(pixelsAt) }
}
