/** New names for all files of an item when its main file gets another one, so that they still belong together. Pure. */

/** A file of an item by the bytes of its name, a character each. */
export interface NamedMember {
  raw: string
  role: 'main' | 'companion' | 'motion' | 'sidecar'
}

/** A name's stem and its extension with the dot, as scans group files by; a name that begins with its only dot has none. */
export function stemAndExtension(raw: string): { stem: string; extension: string } {
  const dot = raw.lastIndexOf('.')
  return dot <= 0 ? { stem: raw, extension: '' } : { stem: raw.slice(0, dot), extension: raw.slice(dot) }
}

/** What a sidecar is named after: one of the item's media files, or its stem. */
function sidecarName(
  raw: string,
  media: readonly string[],
  renamed: ReadonlyMap<string, string>,
  stem: string,
): string {
  // The longest first: 'a.jpg.xmp' is about 'a.jpg' before it is about 'a'.
  for (const name of [...media].sort((a, b) => b.length - a.length)) {
    if (raw.startsWith(`${name}.`)) return `${renamed.get(name)}${raw.slice(name.length)}`
  }
  for (const name of media) {
    const own = stemAndExtension(name).stem
    if (raw.startsWith(`${own}.`) && !raw.slice(own.length + 1, -4).includes('.'))
      return `${stem}${raw.slice(own.length)}`
  }
  // Takeout's cut and numbered names: whole ones are found as well.
  const [main = ''] = media
  return `${renamed.get(main)}${stemAndExtension(raw).extension}`
}

/**
 * Every file's new name when the main file's stem becomes `stem`; with the stem that it has, all keep their names. Null
 * when two would get the same one. The main file comes first in `members`.
 */
export function namesWithStem(members: readonly NamedMember[], stem: string): Map<string, string> | null {
  const [main] = members
  if (main === undefined) return new Map()
  const stays = stemAndExtension(main.raw).stem === stem
  const media = members.filter(({ role }) => role !== 'sidecar').map(({ raw }) => raw)
  const renamed = new Map(media.map(raw => [raw, stays ? raw : `${stem}${stemAndExtension(raw).extension}`]))
  for (const { raw, role } of members) {
    if (role === 'sidecar') renamed.set(raw, stays ? raw : sidecarName(raw, media, renamed, stem))
  }
  return new Set(renamed.values()).size === renamed.size ? renamed : null
}

/**
 * Stems that a name keeps others from using in its directory: its own, and a sidecar's those of the files that it may be
 * about. A new file of such a stem would be taken for a part of the old one's item, or the other way round.
 */
export function stemsTakenBy(name: string): string[] {
  const { stem, extension } = stemAndExtension(name)
  const taken = [name, stem]
  if (/^\.(?:xmp|json)$/i.test(extension)) {
    for (let rest = stem; ; ) {
      const inner = stemAndExtension(rest)
      if (inner.extension === '') break
      rest = inner.stem
      taken.push(rest)
    }
  }
  return taken
}
