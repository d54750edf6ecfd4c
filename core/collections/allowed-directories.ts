/**
 * Which directories may become a collection's directory or variants path through the web. A global admin of the web
 * does not own the machine, and could otherwise write to places from which programs are started. Commands of the
 * terminal have no such limit, and existing collections are not checked.
 */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure, type Sentence, sentence } from '../../schema/errors.ts'
import type { Settings } from '../../schema/settings.ts'
import type { Viewer } from '../accounts/access.ts'
import { findTool } from '../files/find-tool.ts'
import { isWithin, pathsOverlap, realPath } from '../files/overlap.ts'
import { isCompiled } from '../kernel/worker-command.ts'

const onAllPlatforms = ['/bin', '/dev', '/etc', '/sbin', '/usr', '/var']

/** No collection may lie in `refused`, unless it lies below a directory in `except`. `home`: of the server's user. */
function systemDirectories(platform: NodeJS.Platform, home: string) {
  if (platform === 'darwin') {
    const library = join(home, 'Library')
    return {
      refused: [...onAllPlatforms, '/Applications', '/Library', '/System', '/cores', '/opt', '/private', library],
      // Cloud disks, and macOS' temporary files.
      except: ['Mobile Documents', 'CloudStorage']
        .map(name => join(library, name))
        .concat('/private/tmp', '/private/var/folders'),
    }
  }
  const libraries = ['/lib', '/lib32', '/lib64', '/libx32']
  return {
    refused: [...onAllPlatforms, ...libraries, '/boot', '/proc', '/run', '/sys'],
    // Removable disks, and /home, /mnt and /srv of image-based systems.
    except: ['/run/media', '/var/home', '/var/mnt', '/var/srv'],
  }
}

type Wanted = Pick<Settings, 'collection_roots' | 'tls_cert' | 'tls_key' | 'ffmpeg' | 'ffprobe' | 'exiftool'>

const dotNameIn = (path: string) => path.split('/').find(name => name.startsWith('.'))

export function createAllowedDirectories({
  settings,
  platform = process.platform,
  home = homedir(),
}: {
  settings: Wanted
  platform?: NodeJS.Platform
  home?: string
}) {
  // macOS ignores case, and `realpath` keeps the case that it was given.
  const spelt = (path: string) => (platform === 'darwin' ? path.toLowerCase() : path)
  const isIn = (inner: string, outer: string) => isWithin(spelt(inner), spelt(outer))
  const system = systemDirectories(platform, home)
  const roots = () => settings.collection_roots.map(realPath)

  function systemDirectoryOf(path: string): string | null {
    if (path === '/') return '/'
    if (system.except.some(one => isIn(path, one) && spelt(path) !== spelt(one))) return null
    return system.refused.find(one => isIn(path, one)) ?? null
  }

  /** A path that this program runs or trusts and that overlaps the directory; null if there is none. */
  function ownFileIn(path: string): string | null {
    const tools = (['ffmpeg', 'ffprobe', 'exiftool'] as const).map(name => findTool(name, settings[name]))
    const program = isCompiled() ? process.execPath : resolve(import.meta.dir, '../..')
    const named = [settings.tls_cert, settings.tls_key, ...tools].filter(file => file !== null && file !== '')
    return [program, process.execPath, ...named].find(file => file !== null && pathsOverlap(path, file)) ?? null
  }

  /** Why a path is refused; null if it is allowed. */
  function refusal(requestedPath: string): Sentence | null {
    const real = realPath(requestedPath)
    // Checks the path as written too, since the target of a link can change.
    for (const path of [resolve(requestedPath), real]) {
      const dot = dotNameIn(path)
      if (dot !== undefined)
        return sentence`${requestedPath} lies in '${dot}': programs keep their own files in directories that begin with a dot.`
      const directory = systemDirectoryOf(path)
      if (directory !== null)
        return path === '/'
          ? sentence`${requestedPath} holds the whole system.`
          : sentence`${requestedPath} lies in the system directory ${directory}.`
    }
    const ownFile = ownFileIn(real)
    if (ownFile !== null) return sentence`${requestedPath} holds ${ownFile}, which Keepsake runs or trusts.`
    const allowed = roots()
    if (allowed.length === 0 || allowed.some(root => isIn(real, root))) return null
    return sentence`${requestedPath} lies in none of the directories of the setting collection_roots (${settings.collection_roots.join(', ')}).`
  }

  return {
    /** Throws 400 with the field's name if the directory is not allowed; never for the terminal. */
    requireAllowed(viewer: Viewer, path: string, field: 'path' | 'pathVariant'): void {
      if (viewer.kind === 'terminal') return
      const why = refusal(path)
      if (why === null) return
      const command = field === 'path' ? 'add DIR' : 'set NAME pathVariant=DIR'
      throw new Failure(
        'invalid',
        sentence`${why} Choose another directory, or run in a terminal on the server: keepsake collection ${command}`,
        { field },
      )
    },

    /** Whether the directory, or one in it, could become a collection. Only examines the path, to be fast. */
    maySelectIn(path: string): boolean {
      const real = realPath(path)
      const allowed = roots()
      if (allowed.length > 0 && !allowed.some(root => isIn(real, root) || isIn(root, real))) return false
      return [resolve(path), real].every(
        one =>
          dotNameIn(one) === undefined &&
          (one === '/' || systemDirectoryOf(one) === null || system.except.some(kept => isIn(kept, one))),
      )
    },

    /** Directories at the top of the directory picker: `collection_roots`; empty means no restriction. */
    roots: settings.collection_roots,
  }
}

export type AllowedDirectories = ReturnType<typeof createAllowedDirectories>
