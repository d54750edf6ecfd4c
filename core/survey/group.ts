/** Which files of a directory are one item: RAW beside JPEG, a Live Photo's two halves, sidecars with their picture. */
import { extensionOf, presumedKind } from '../media/formats/sniff.ts'
import type { MediaKind } from '../media/media-problem.ts'
import { groupSidecars, type Sidecar } from '../metadata/xmp/sidecar-names.ts'
import type { DiskFile } from './found-unit.ts'
import { stemAndExtension } from './unit-names.ts'

/** A media file by its name. `raw` is the name's bytes, one character each, used for comparing. */
export interface NamedFile {
  raw: string
  kind: MediaKind
}

/** Files that become one item, or two when the video does not belong to the picture. */
export interface Unit {
  main: string
  /** RAW files beside their JPEG. */
  companions: string[]
  /** A video of the same stem: the motion part if dates and length match. */
  film: string | null
  sidecars: string[]
  /** Sidecars of the video, needed when it becomes a separate item. */
  filmSidecars: string[]
}

const rawExtensions = new Set(
  '3fr ari arw bay cap cr2 cr3 crw dcr dcs dng erf fff gpr iiq k25 kdc mdc mef mos mrw nef nrw orf pef ptx pxn r3d raf raw rw2 rwl rwz sr2 srf srw x3f'.split(
    ' ',
  ),
)

/** Of several pictures with one stem, the RAW belongs to the one whose extension comes first here. */
const companionOrder = ['jpg', 'jpeg', 'jpe', 'heic', 'heif', 'hif', 'avif', 'jxl', 'tif', 'tiff', 'png', 'webp']

/** True for a camera's own format, of which only the embedded preview is shown. */
function isRawName(raw: string): boolean {
  return rawExtensions.has(extensionOf(raw))
}

function rank(raw: string): number {
  const place = companionOrder.indexOf(extensionOf(raw))
  return place < 0 ? companionOrder.length : place
}

/**
 * Groups the media files of one directory. `sidecarsOf` returns sidecars in order of precedence; with `pairing` off,
 * videos stay separate. Units are in the order of main names, but separate videos come last, after their pictures.
 */
export function groupFiles(
  files: readonly NamedFile[],
  sidecarsOf: (raw: string) => readonly string[],
  pairing: boolean,
): Unit[] {
  const stems = Map.groupBy(files, ({ raw }) => stemAndExtension(raw).stem)
  const pictures: Unit[] = []
  const films: Unit[] = []
  for (const group of stems.values()) {
    const [only] = group
    if (only !== undefined && group.length === 1) {
      const { raw: main, kind } = only
      const unit = { main, companions: [], film: null, sidecars: [...sidecarsOf(main)], filmSidecars: [] }
      ;(kind === 'image' ? pictures : films).push(unit)
      continue
    }
    const images = group.filter(file => file.kind === 'image').map(file => file.raw)
    const shown = images.filter(raw => !isRawName(raw)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    const raws = images.filter(isRawName).sort()
    const videos = group
      .filter(file => file.kind === 'video')
      .map(file => file.raw)
      .sort()

    // Only one picture and one video form an unambiguous pair.
    const heads = shown.length > 0 ? shown : raws
    const film = pairing && videos.length === 1 && heads.length === 1 ? (videos[0] ?? null) : null
    for (const [place, main] of heads.entries()) {
      const companions = place === 0 && shown.length > 0 ? raws : []
      pictures.push({
        main,
        companions,
        film,
        sidecars: [...new Set([main, ...companions].flatMap(sidecarsOf))],
        filmSidecars: film === null ? [] : [...sidecarsOf(film)],
      })
    }
    for (const main of videos) {
      if (main === film) continue
      films.push({ main, companions: [], film: null, sidecars: [...sidecarsOf(main)], filmSidecars: [] })
    }
  }
  const byName = (a: Unit, b: Unit) => (a.main < b.main ? -1 : a.main > b.main ? 1 : 0)
  return [...pictures.sort(byName), ...films.sort(byName)]
}

/** The units of a directory's files, by their names: media files, and the sidecars of each that has some. */
export function unitsOf(files: ReadonlyMap<string, DiskFile>, pairing: boolean) {
  const media = [...files.values()].flatMap(({ raw, name }): NamedFile[] => {
    const kind = presumedKind(name)
    return kind === null ? [] : [{ raw, kind }]
  })
  const names = media.map(({ raw }) => raw)
  const sidecars: ReadonlyMap<string, Sidecar[]> = groupSidecars([...files.keys()], names)
  const sidecarsOf = (raw: string) => (sidecars.get(raw) ?? []).map(({ name }) => name)
  return { media: names, sidecars, sidecarsOf, units: groupFiles(media, sidecarsOf, pairing) }
}

export function membersOf({ main, companions, film, sidecars, filmSidecars }: Unit): string[] {
  return [main, ...companions, ...(film === null ? [] : [film]), ...sidecars, ...filmSidecars]
}

/** The facts that decide whether a video is a picture's motion part. */
export interface LivePhotoPart {
  /** Seconds, local time read as if UTC; null when only a guess is known. */
  taken: number | null
  contentIdentifier: string | null
  /** Seconds. */
  duration: number | null
}

/** In seconds: maximum length of a video that is matched by name, and maximum difference between the dates. */
const longestMotion = 10
const datesApart = 5
/** Time zones are multiples of a quarter of an hour, at most 14 hours from UTC. */
const quarter = 900
const furthestZone = 14 * 3600

/**
 * Whether this video of the same stem is the picture's motion part: by identifier if both have one, else by length and
 * date. Videos have UTC where pictures have local time: a difference of whole zones is ignored.
 */
export function isMotionOf(picture: LivePhotoPart, film: LivePhotoPart): boolean {
  if (picture.contentIdentifier !== null && film.contentIdentifier !== null) {
    return picture.contentIdentifier === film.contentIdentifier
  }
  if (film.duration === null || film.duration > longestMotion) return false
  if (picture.taken === null || film.taken === null) return false
  const apart = Math.abs(picture.taken - film.taken)
  const rest = apart % quarter
  return apart <= furthestZone + datesApart && Math.min(rest, quarter - rest) <= datesApart
}
