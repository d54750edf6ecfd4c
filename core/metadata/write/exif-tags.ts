/** Keeps EXIF consistent with XMP: existing fields are changed, position and date are also added. */

import { editTiff, type TiffEditor, type TiffTagChange } from './tiff-edit.ts'
import type { WantedTags, WrittenSet } from './written-tags.ts'
import { fileText } from './xml-nodes.ts'
import { offsetText, percentOfStars } from './xmp-tags.ts'

const exifPointer = 0x8769
const gpsPointer = 0x8825

/** Tags of each set, by the directory as `walkTiff` names it. A set without an entry is not in EXIF. */
const tagsOfSets: Partial<Record<WrittenSet, Readonly<Record<string, readonly number[]>>>> = {
  Description: { '0': [0x10e] },
  Author: { '0': [0x13b, 0x9c9d] },
  Keywords: { '0': [0x9c9e] },
  Rating: { '0': [0x4746, 0x4749] },
  DateTimeOriginal: { '0/8769': [0x9003, 0x9011, 0x9291] },
  Locations: { '0': [gpsPointer], '0/8825': [0, 1, 2, 3, 4, 5, 6] },
}

/** Whether writing these sets may change a tag of a directory. */
export function isWrittenTag(sets: ReadonlySet<WrittenSet>, directory: string, tag: number): boolean {
  return [...sets].some(set => tagsOfSets[set]?.[directory]?.includes(tag))
}

/** Writes the sets into an EXIF block (from its TIFF header on); null for a damaged block. */
export function writeExifTags(block: Uint8Array, wanted: WantedTags, sets: ReadonlySet<WrittenSet>): Uint8Array | null {
  const editor = editTiff(block)
  if (editor === null) return null
  const main = new Map<number, TiffTagChange>()
  if (sets.has('Description')) {
    // Also overwrites a field that a camera has filled with blanks.
    changeIfPresent(editor, main, 0x10e, ascii(wanted.description))
  }
  if (sets.has('Author')) {
    // A name with a semicolon would be read as two names.
    const authors = wanted.author.some(name => name.includes(';')) ? [] : wanted.author
    changeIfPresent(editor, main, 0x13b, ascii(authors.join('; ')))
    changeIfPresent(editor, main, 0x9c9d, utf16(authors.join(';')))
  }
  if (sets.has('Keywords')) {
    const keywords = wanted.keywords.some(word => word.includes(';')) ? [] : wanted.keywords
    changeIfPresent(editor, main, 0x9c9e, utf16(keywords.join(';')))
  }
  if (sets.has('Rating')) {
    const stars = wanted.rating === null || wanted.rating < 0 ? null : wanted.rating
    changeIfPresent(editor, main, 0x4746, stars === null ? null : editor.short(stars))
    changeIfPresent(editor, main, 0x4749, stars === null ? null : editor.short(percentOfStars[stars] ?? 0))
  }
  if (main.size > 0) editor.change(null, main)
  if (sets.has('DateTimeOriginal')) writeDate(editor, wanted)
  if (sets.has('Locations')) writePosition(editor, wanted)
  return editor.bytes()
}

function changeIfPresent(
  editor: TiffEditor,
  changes: Map<number, TiffTagChange>,
  tag: number,
  change: TiffTagChange,
): void {
  if (editor.has(null, tag)) changes.set(tag, change)
}

function writeDate(editor: TiffEditor, { date }: WantedTags): void {
  if (editor.directoryAt(exifPointer) === null) return
  const changes = new Map<number, TiffTagChange>([
    [0x9003, date === null ? null : ascii(date.local.replaceAll('-', ':'))],
    [0x9011, date === null || date.offset === null ? null : ascii(offsetText(date.offset))],
    [0x9291, null],
  ])
  editor.change(exifPointer, changes)
}

/** Altitude belongs to the position and is removed with it. */
function writePosition(editor: TiffEditor, { position }: WantedTags): void {
  if (position === null) {
    if (editor.directoryAt(gpsPointer) === null) return
    editor.change(gpsPointer, new Map<number, TiffTagChange>([1, 2, 3, 4, 5, 6].map(tag => [tag, null])))
    return
  }
  const changes = new Map<number, TiffTagChange>([
    [1, ascii(position.latitude < 0 ? 'S' : 'N')],
    [2, sexagesimal(editor, position.latitude)],
    [3, ascii(position.longitude < 0 ? 'W' : 'E')],
    [4, sexagesimal(editor, position.longitude)],
  ])
  if (!editor.has(gpsPointer, 0)) changes.set(0, { type: 1, count: 4, data: Uint8Array.of(2, 3, 0, 0) })
  editor.change(gpsPointer, changes)
}

/** A text as an ASCII value; null for an empty text. The bytes are UTF-8, as the Metadata Working Group advises. */
function ascii(text: string): TiffTagChange {
  const data = Buffer.from(`${fileText(text)}\0`)
  return data.length === 1 ? null : { type: 2, count: data.length, data }
}

/** A text in Windows' form: UTF-16 with a zero at the end, stored as bytes. */
function utf16(text: string): TiffTagChange {
  const data = Buffer.from(`${fileText(text)}\0`, 'utf16le')
  return data.length === 2 ? null : { type: 1, count: data.length, data }
}

/** Degrees, minutes, and seconds in ten millionths: three thousandths of a millimetre on the ground. */
function sexagesimal(editor: TiffEditor, degrees: number): TiffTagChange {
  const fractions = 10_000_000
  const total = Math.round(Math.abs(degrees) * 3600 * fractions)
  const whole = Math.floor(total / (3600 * fractions))
  const minutes = Math.floor(total / (60 * fractions)) % 60
  const seconds = total % (60 * fractions)
  return { type: 5, count: 3, data: editor.longs(whole, 1, minutes, 1, seconds, fractions) }
}
