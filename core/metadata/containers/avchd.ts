/** AVCHD camcorders: the date and the maker, which they write into the video itself. */
import { indexOfBytes, u8, u16be } from '../binary.ts'
import { unitsOf } from './avc.ts'
import type { Film } from './film.ts'

/** Marks the camera's supplemental information: an identifier and 'MDPM'. */
const marker = Buffer.from('17ee8c60f84d11d98cd60800200c9a664d44504d', 'hex')

const makers: Record<number, string> = { 259: 'Panasonic', 264: 'Sony', 4113: 'Canon', 4356: 'JVC' }

/** The date goes by the name 'date' with the others of a film's texts, in ISO 8601 with its offset. */
export function avchdFields(elementary: Uint8Array): Pick<Film, 'texts'> {
  const texts = new Map<string, string>()
  for (const unit of unitsOf(elementary, 6)) {
    const at = indexOfBytes(unit, marker)
    if (at < 0) continue
    const entries = entriesOf(unit, at + marker.length)
    const date = dateOf(entries.get(0x18), entries.get(0x19))
    if (date !== null) texts.set('date', date)
    const maker = entries.get(0xe0)
    const name = maker === undefined ? undefined : makers[u16be(maker, 0)]
    if (name !== undefined) texts.set('make', name)
    const model = modelOf(entries)
    if (model !== '') texts.set('model', model)
    if (texts.size > 0) break
  }
  return { texts }
}

/** A count, then entries of a tag and four bytes each. */
function entriesOf(unit: Uint8Array, at: number): Map<number, Uint8Array> {
  const entries = new Map<number, Uint8Array>()
  const count = u8(unit, at)
  for (let i = 0; i < count; i++) {
    const entry = at + 1 + i * 5
    if (entry + 5 > unit.length) break
    entries.set(u8(unit, entry), unit.subarray(entry + 1, entry + 5))
  }
  return entries
}

/** Zone, century, year, month and then day, hour, minute, second, as decimal digits of four bits. */
function dateOf(first: Uint8Array | undefined, second: Uint8Array | undefined): string | null {
  if (first === undefined || second === undefined) return null
  const [century, year, month] = digits(first.subarray(1))
  const [day, hour, minute, seconds] = digits(second)
  return `${century}${year}-${month}-${day}T${hour}:${minute}:${seconds}${zoneOf(u8(first, 0))}`
}

/** Half hours, a sign, and a bit for summer time, which the hours hold already. */
function zoneOf(code: number): string {
  if (code & 0x80) return ''
  const hours = String((code >> 1) & 15).padStart(2, '0')
  return `${code & 0x20 ? '-' : '+'}${hours}:${code & 1 ? '30' : '00'}`
}

function digits(bytes: Uint8Array): string[] {
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0'))
}

function modelOf(entries: Map<number, Uint8Array>): string {
  const bytes = [0xe4, 0xe5, 0xe6].flatMap(tag => [...(entries.get(tag) ?? [])])
  const end = bytes.indexOf(0)
  const text = String.fromCharCode(...(end < 0 ? bytes : bytes.slice(0, end)))
  return /^[\x20-\x7e]*$/.test(text) ? text.trim() : ''
}
