/** Which sidecars belong to which pictures, by the names in one directory. */
import { extname } from 'node:path'

export interface Sidecar {
  name: string
  kind: 'xmp' | 'takeout'
}

/** The sidecars of one media file among the names of its directory, in order of precedence. */
export function sidecarsFor(names: readonly string[], mediaName: string): Sidecar[] {
  return sidecarsIn(indexOf(names), mediaName)
}

/** The sidecars of each media file that has any. `names`: all names of the directory; the time grows linearly. */
export function groupSidecars(names: readonly string[], media: readonly string[]): Map<string, Sidecar[]> {
  const index = indexOf(names)
  const groups = new Map<string, Sidecar[]>()
  if (index.xmp.size === 0 && index.json.size === 0) return groups
  for (const name of media) {
    const sidecars = sidecarsIn(index, name)
    if (sidecars.length > 0) groups.set(name, sidecars)
  }
  return groups
}

/** The sidecars by their names without '.xmp' or '.json', in lower case. Case matters except in extensions. */
function indexOf(names: readonly string[]) {
  const about = (name: string) => name.replace(/\.\w+$/, '').toLowerCase()
  const ending = (pattern: RegExp) =>
    Map.groupBy(
      names.filter(name => pattern.test(name)),
      about,
    )
  return { xmp: ending(/\.xmp$/i), json: ending(/\.json$/i) }
}

type SidecarIndex = ReturnType<typeof indexOf>

/** The sidecar named `about` plus an extension. The beginning, `stem`, must also match in case. */
function find(sidecars: Map<string, string[]>, about: string, stem: string): string | undefined {
  const found = sidecars.get(about.toLowerCase())?.filter(name => name.startsWith(stem))
  // If several differ only in case, the choice does not depend on the order in which the disk lists them.
  return found?.sort()[0]
}

function sidecarsIn(index: SidecarIndex, mediaName: string): Sidecar[] {
  const stem = mediaName.slice(0, mediaName.length - extname(mediaName).length)
  const xmp = [find(index.xmp, mediaName, stem), find(index.xmp, stem, stem)]
  const takeout = takeoutFor(index, mediaName)
  const sidecars: Sidecar[] = []
  for (const name of new Set(xmp)) if (name !== undefined) sidecars.push({ name, kind: 'xmp' })
  if (takeout !== undefined) sidecars.push({ name: takeout, kind: 'takeout' })
  return sidecars
}

const supplemental = 'supplemental-metadata'
/** Words, by language, that Google Photos appends to the name of an edited copy, which has no sidecar of its own. */
const editedWords = ['edited', 'bearbeitet', 'modifié', 'editado', 'editada', 'modificato', 'bewerkt', 'edytowane']
// Names may be given as their bytes, one character each.
const editedSpellings = new Set(editedWords.flatMap(word => [word, Buffer.from(word).toString('latin1')]))
const edited = new RegExp(`-(?:${[...editedSpellings].join('|')})(\\(\\d{1,4}\\))?$`, 'i')

/** A key is cut here, below the length at which Takeout cuts names. */
export const sidecarKeyLength = 40

/** A prefix that a media file's name shares with all its possible sidecars; other names may have it too. */
export function sidecarKey(name: string): string {
  const end = name.search(/[.(]/)
  return (end < 0 ? name : name.slice(0, end)).replace(edited, '').slice(0, sidecarKeyLength)
}

/** Whether a file of this name is a sidecar of the media file, or would be on a disk that ignores case. */
export function mayBeSidecarOf(name: string, mediaName: string): boolean {
  return sidecarsFor([name.toLowerCase()], mediaName.toLowerCase()).length > 0
}

/**
 * Takeout's sidecar of a media file: name.ext.json, name.ext.supplemental-metadata.json or a truncated form of it. A
 * number that distinguishes copies comes after the extension: 'a(1).jpg' has 'a.jpg(1).json'. An edited copy uses the
 * sidecar of its original, the video of a Live Photo that of its still.
 */
function takeoutFor(index: SidecarIndex, mediaName: string): string | undefined {
  if (index.json.size === 0) return undefined
  const extension = extname(mediaName).toLowerCase()
  const stem = mediaName.slice(0, mediaName.length - extension.length)
  const exact = takeoutNamed(index, stem, extension)
  if (exact !== undefined) return exact
  const original = stem.replace(edited, '$1')
  if (original !== stem) return takeoutNamed(index, original, extension)
  if (!/^\.(mp4|mov|mp)$/.test(extension)) return undefined
  for (const still of ['.heic', '.jpg', '.jpeg']) {
    const found = takeoutNamed(index, stem, still)
    if (found !== undefined) return found
  }
  return undefined
}

function takeoutNamed(index: SidecarIndex, stem: string, extension: string): string | undefined {
  const plain = takeoutWith(index, stem, extension, '')
  if (plain !== undefined) return plain
  const numbered = /^(.*)(\(\d{1,4}\))$/.exec(stem)
  return numbered === null ? undefined : takeoutWith(index, numbered[1] ?? '', extension, numbered[2] ?? '')
}

/** Tries the whole name, the name with the long suffix in any truncated form, and the truncated name. */
function takeoutWith(index: SidecarIndex, stem: string, extension: string, number: string): string | undefined {
  const media = stem + extension
  const whole = find(index.json, media + number, stem)
  if (whole !== undefined) return whole
  for (let length = supplemental.length; length >= 0; length--) {
    const found = find(index.json, `${media}.${supplemental.slice(0, length)}${number}`, stem)
    if (found !== undefined) return found
  }
  for (let length = media.length - 1; length >= shortestCut; length--) {
    const cut = media.slice(0, length)
    const found = find(index.json, cut + number, stem.slice(0, length))
    if (found !== undefined && isCutLength(cut)) return found
  }
  return undefined
}

/** Google truncates the name before '.json' at 46 characters, counted in an undocumented way: ±1 is accepted. */
const shortestCut = 45
const longestCut = 47

function isCutLength(cut: string): boolean {
  const bytes = Buffer.from(cut, 'latin1')
  const counts = [cut.length, Buffer.byteLength(cut), bytes.toString('utf8').length]
  return counts.some(count => count >= shortestCut && count <= longestCut)
}
