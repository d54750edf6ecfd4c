/** New names for all files of an item when its main file is renamed, so that they still belong together. Pure. */

/** A file of an item by the bytes of its name, one character each. */
export interface NamedMember {
  raw: string
  role: 'main' | 'companion' | 'motion' | 'sidecar'
}

/** A name's stem and its extension with the dot, as scans group files; a leading dot begins no extension. */
export function stemAndExtension(raw: string): { stem: string; extension: string } {
  const dot = raw.lastIndexOf('.')
  return dot <= 0 ? { stem: raw, extension: '' } : { stem: raw.slice(0, dot), extension: raw.slice(dot) }
}

/** The new name of a sidecar, which is named after a media file or a stem. */
function sidecarName(
  raw: string,
  media: readonly string[],
  renamed: ReadonlyMap<string, string>,
  stem: string,
): string {
  // The longest first: 'a.jpg.xmp' belongs to 'a.jpg' rather than to 'a'.
  for (const name of [...media].sort((a, b) => b.length - a.length)) {
    if (raw.startsWith(`${name}.`)) return `${renamed.get(name)}${raw.slice(name.length)}`
  }
  for (const name of media) {
    const mediaStem = stemAndExtension(name).stem
    if (raw.startsWith(`${mediaStem}.`) && !raw.slice(mediaStem.length + 1, -4).includes('.'))
      return `${stem}${raw.slice(mediaStem.length)}`
  }
  // A truncated or numbered name of Takeout becomes a complete one, which scans find as well.
  const [main = ''] = media
  return `${renamed.get(main)}${stemAndExtension(raw).extension}`
}

/**
 * The new names of all files when the main file's stem becomes `stem`; with an unchanged stem, all keep their names.
 * Null if two would get the same name. The main file comes first in `members`.
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
 * Stems that a name reserves in its directory: its own, and for a sidecar those of the files that it may belong to. A
 * new file of such a stem would be treated as a part of the old one's item, or the reverse.
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
