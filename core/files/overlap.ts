/** Whether two directories share files. A collection must share none with other collections and the data directory. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * True if one path is or contains the other: by real paths, by device and inode (spellings where case is ignored),
 * or by mounts (one directory at two places, as in containers). A directory that cannot be examined counts as missing.
 */
export function pathsOverlap(a: string, b: string): boolean {
  const one = realPath(a)
  const other = realPath(b)
  if (isWithin(one, other) || isWithin(other, one)) return true
  if (isOnPath(one, identityOf(other)) || isOnPath(other, identityOf(one))) return true
  const mounts = mountTable()
  const oneThere = placeOnDevice(mounts, one)
  const otherThere = placeOnDevice(mounts, other)
  if (oneThere === null || otherThere === null || oneThere.device !== otherThere.device) return false
  return isWithin(oneThere.path, otherThere.path) || isWithin(otherThere.path, oneThere.path)
}

/** True if the inner path is the outer one or within it, compared as text. Both are absolute. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`)
}

/** The real path of the existing part, followed by the rest as text. */
export function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(realPath(above), basename(whole))
  }
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/** Whether the directory with this identity is at the path, or is a parent of it. */
function isOnPath(path: string, identity: string | null): boolean {
  if (identity === null) return false
  for (let at = path; ; at = dirname(at)) {
    if (identityOf(at) === identity) return true
    if (at === dirname(at)) return false
  }
}

export interface Mount {
  device: string
  /** The directory of the file system that is mounted. */
  root: string
  point: string
}

/** Mounts as Linux lists them (proc(5), /proc/PID/mountinfo): later ones cover earlier ones. */
export function parseMounts(text: string): Mount[] {
  const mounts: Mount[] = []
  for (const line of text.split('\n')) {
    const [, , device, root, point] = line.split(' ')
    if (device !== undefined && root !== undefined && point !== undefined) {
      mounts.push({ device, root: unescaped(root), point: unescaped(point) })
    }
  }
  return mounts
}

/** Decodes spaces and other characters, which are written in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/** The path within its file system; null without a list of mounts. */
export function placeOnDevice(mounts: readonly Mount[], path: string): { device: string; path: string } | null {
  let best: Mount | null = null
  for (const mount of mounts) {
    if (isWithin(path, mount.point) && (best === null || mount.point.length >= best.point.length)) best = mount
  }
  if (best === null) return null
  const below = path.slice(best.point === '/' ? 0 : best.point.length)
  return { device: best.device, path: best.root === '/' ? below || '/' : best.root + (below === '/' ? '' : below) }
}

/** Whether a directory is a mount point: it cannot be renamed, and no file can be renamed across its border. */
export function isMountPoint(path: string): boolean {
  const real = realPath(path)
  return mountTable().some(({ point }) => point === real)
}

function mountTable(): Mount[] {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
  } catch {
    return []
  }
}
