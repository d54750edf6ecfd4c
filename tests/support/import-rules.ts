/** The rules of ARCHITECTURE.md: what a file may import, which files may access the disk, how files are named and commented. */
import type { Import, SourceFile } from './source-tree.ts'

/** Whether this is a schema file that browsers load. Such files may import only zod and each other. */
function isBrowserSafe(path: string): boolean {
  return /^schema\/(api\/.+|(addresses|calendar|call-table|client|realtime|errors|issue-words|limits|keys|boxes|faces|person-names|shifted-date|suggestion-match|search-text|history-words|job-words|audit-text|figures|locale|choose-language)\.ts)$/.test(
    path,
  )
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

/** Folder → folders it may import from, besides itself. */
const mayImport: Record<string, readonly string[]> = {
  schema: [],
  core: ['schema'],
  server: ['schema', 'core'],
  cli: ['schema', 'core', 'server', 'ink-tui'],
  'ink-tui': ['schema', 'core'],
  web: ['schema'],
  build: ['schema', 'core', 'server', 'web'],
  bench: ['schema', 'core', 'server', 'cli', 'tests'],
  tests: ['schema', 'core', 'server', 'cli', 'ink-tui', 'web', 'build', 'bench'],
  '': ['build'],
}

/** The rooms of core from the ground up: a room may import, even types, only from rooms before it in this list. */
export const coreRooms = [
  'files',
  'kernel',
  'metadata',
  'media',
  'accounts',
  'filter',
  'work',
  'survey',
  'journal',
  'collections',
  'opening.ts',
  'words',
  'items',
  'editing',
  'albums',
  'vocabulary',
  'people',
  'scan',
  'write-back',
  'moving',
  'file-manager',
  'sharing',
  'exchange',
  'plugins',
  'places',
  'realtime',
  'upkeep',
  'library.ts',
]

/** The rooms of the pages from the ground up: the kit, what all screens share, the screens, and what holds them together. */
export const webRooms = [
  'texts',
  'kit',
  'api.ts',
  'socket.ts',
  'routes.ts',
  'app',
  'items',
  'faces',
  'plugins',
  'map',
  'account',
  'search',
  'sharing',
  'uploads',
  'albums',
  'people',
  'places',
  'viewer',
  'gallery',
  'guest',
  'on-this-day',
  'saver',
  'file-manager',
  'admin',
  'shell',
  'screens.ts',
  'realtime.ts',
  'app.tsx',
  'main.tsx',
  'service-worker.ts',
]

const rooms: Record<string, readonly string[]> = { core: coreRooms, web: webRooms }

/** The room that a file is in: a folder or a file right below `core` or `web`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** Why `from` may not import from the room of `file`; null where it may. */
function roomFault(from: string, file: string): string | null {
  const order = rooms[folderOf(from)]
  if (order === undefined || folderOf(from) !== folderOf(file)) return null
  if (order.indexOf(roomOf(file)) <= order.indexOf(roomOf(from))) return null
  return `${roomOf(file)} stands above ${roomOf(from)}: hand down a function, or move the file`
}

/** Packages that only some folders may import. `at` are beginnings of paths. */
const packageRules: readonly { package: RegExp; at: readonly string[] }[] = [
  { package: /^hono$/, at: ['server/'] },
  { package: /^commander$/, at: ['cli/'] },
  { package: /^ink$/, at: ['ink-tui/'] },
  { package: /^(react|react-dom)$/, at: ['web/', 'ink-tui/'] },
  { package: /^(@preact\/signals-react|wouter|lucide-react)$/, at: ['web/'] },
  { package: /^(leaflet|supercluster)$/, at: ['web/map/'] },
  { package: /^cropperjs$/, at: ['web/file-manager/'] },
  { package: /^@vladmandic\/human$/, at: ['web/faces/', 'core/people/faces/'] },
  { package: /^sharp$/, at: ['core/media/decode/sharp.ts', 'build/'] },
  { package: /^(heic-decode|libheif-js|@jsquash\/jxl|thumbhash)$/, at: ['core/media/', 'core/metadata/', 'web/'] },
  { package: /^@photostructure\/tz-lookup$/, at: ['core/metadata/'] },
  { package: /^drizzle-orm$/, at: ['schema/tables/', 'core/'] },
  {
    package: /^bun:sqlite$/,
    at: ['core/kernel/', 'core/places/', 'core/exchange/backup/', 'core/upkeep/doctor.ts'],
  },
  { package: /^playwright$/, at: [] },
]

/** Files that may import the file manager. */
const mayImportFileManager = /^web\/(file-manager\/|admin\/(files\/files|collections\/folder-picker)\.tsx$)/

/** Why `from` may not import this; null when it may. */
export function importFault(
  from: string,
  { file, package: name, lazy, typeOnly }: Omit<Import, 'specifier'>,
): string | null {
  const own = folderOf(from)
  const isTool = own === 'tests' || own === 'bench'
  if (name !== null) {
    if (isBrowserSafe(from) && name !== 'zod') return 'schema that browsers load imports only zod'
    if (own === 'web' && /^(bun|node)(:|$)/.test(name)) return 'web runs in browsers'
    if (
      from.startsWith('web/file-manager/') &&
      !/^(react|react-dom|@preact\/signals-react|lucide-react|zod|cropperjs)$/.test(name)
    ) {
      return 'the file manager must be separable: it may import react, signals, icons, zod and its cropper'
    }
    if (isTool) return null
    const place = packageRules.find(rule => rule.package.test(name))
    if (place !== undefined && !place.at.some(start => from.startsWith(start))) {
      return `${name} belongs to ${place.at.length === 0 ? 'tests' : place.at.join(', ')}`
    }
    if (name === 'sharp' && !lazy && !typeOnly)
      return "sharp is native and loaded when it is needed: await import('sharp')"
    return null
  }
  if (file === null) return null
  const other = folderOf(file)
  if (isBrowserSafe(from) && !isBrowserSafe(file))
    return 'schema that browsers load imports only schema that browsers load'
  if (own === 'web' && other === 'schema' && !isBrowserSafe(file)) return 'this part of schema does not run in browsers'
  if (
    from.startsWith('web/file-manager/') &&
    !/^(web\/file-manager\/|web\/kit\/|schema\/(api\/file-manager|limits)\.ts$)/.test(file)
  ) {
    return 'the file manager must be separable: it may import the kit, schema/api/file-manager.ts and schema/limits.ts'
  }
  if (own === 'web' && file.startsWith('web/file-manager/') && !mayImportFileManager.test(from)) {
    return 'only its screen and the folder picker import the file manager'
  }
  const fault = roomFault(from, file)
  if (fault !== null) return fault
  if (file === 'package.json' || own === other) return null
  if (mayImport[own]?.includes(other) !== true)
    return `${own === '' ? 'build.ts' : own} may import from ${mayImport[own]?.join(', ') || 'nothing else'}`
  return null
}

/** Files that may use node:fs, Bun.file and Bun.write, and their reason. All others use core/files. */
export const mayTouchFiles: Record<string, string> = {
  'core/files/': 'opens, creates, renames and deletes for everyone',
  'core/kernel/': 'the data directory: database, copies, settings, secrets, log',
  'core/items/transcode-job.ts': 'checks whether a converted video exists',
  'core/scan/': 'compares files with the records, and removes renditions',
  'core/survey/': 'walks and compares directories, never writes',
  'core/media/': "decodes pictures, keeps the renditions' cache",
  'core/metadata/file-source.ts': 'reads the parts of a file that hold metadata',
  'core/collections/collections.ts': "checks whether a collection's directory exists",
  'core/plugins/folders.ts': 'finds plugins in the data directory',
  'core/people/faces/': 'the networks that the package carries, and models that were added',
  'core/places/': 'the table of cities, in the cache',
  'core/sharing/slideshow/': 'archives that were built, in the cache',
  'core/exchange/backup/': 'saves the data directory to a file, and restores it',
  'core/upkeep/doctor.ts': 'checks whether everything exists',
  'server/serve.ts': 'the certificate',
  'server/bytes/bytes.ts': 'reads small pictures at once',
  'server/bytes/films.ts': 'checks whether a converted video exists',
  'server/bytes/held-file.ts': 'finds out where open files have paths',
  'server/bytes/item-sources.ts': 'derives the type of a file from its name',
  'server/bytes/ranges.ts': 'sends parts of files',
  'server/bytes/media-on-demand.ts': 'checks whether a rendition exists',
  'server/bytes/download.ts': 'checks whether a video without metadata exists',
  'server/bytes/exports.ts': 'sends archives that were built',
  'server/web-assets.ts': 'the web pages',
  'cli/commands/collections/export.ts': 'writes what is exported',
  'cli/commands/upkeep/config.ts': 'makes the data directory',
  'cli/plans/plan-file.ts': 'plans of work on files',
  'cli/plans/plan-worker.ts': 'standard output, waiting for its reader',
  'ink-tui/machine/': 'completes paths, writes exports, reads the end of logs, counts the cache',
  'ink-tui/terminal/sender.ts': 'writes to the terminal at once, also while the process ends',
  'cli/items/item-choice.ts': 'checks what standard input is',
  'cli/secret.ts': 'reads a password from a file',
  'cli/standard-output.ts': 'checks whether it is open, and writes the last line before the process exits',
  'cli/commands/scanning/scan.ts': 'checks whether the data directory exists',
  'cli/commands/collections/import.ts': "follows the links in an export's path",
  'cli/commands/program/licenses.ts': 'the notices inside the executable',
  'build/': 'builds',
  'bench/': 'measures',
  'tests/': 'tests',
}

export function touchesFiles({ code, imports }: SourceFile): boolean {
  return imports.some(({ package: name }) => name === 'node:fs' || name === 'fs') || /\bBun\.(file|write)\(/.test(code)
}

/** The filter compiler: it writes the parts from which *.sql.ts files build statements. */
const compilesSql = new Set(['core/filter/condition.ts', 'core/filter/bodies.ts'])

/** Whether a file has a string that starts like an SQL statement, where none is allowed. */
export function writesSql({ path, code }: SourceFile): boolean {
  if (!/^(core|server|cli|ink-tui)\//.test(path) || path.startsWith('core/kernel/') || path.endsWith('.sql.ts'))
    return false
  if (compilesSql.has(path)) return false
  return /['"`(]\s*(SELECT\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|WITH\s+(RECURSIVE\s+)?\w+\b[^'"`]*\sAS\s*\(|REPLACE\s+INTO\s)/i.test(
    code,
  )
}

/** Index of the bracket that closes the bracket at `open`, or the length of the text if none does. */
function closingBracket(text: string, open: number): number {
  const pairs: Record<string, string> = { '{': '}', '(': ')' }
  const left = text[open] ?? ''
  const right = pairs[left]
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === left) depth++
    else if (text[at] === right && --depth === 0) return at
  }
  return text.length
}

/** Matches the reading of a signal's `.value`, but not of an element's or an event target's. */
const readsSignal =
  /(?<!\b(?:target|currentTarget|current|\w*[eE]lement|\w*[iI]nput|option|entry)[?!]?)\.value\b(?!\s*(?:=[^=]|\+=|-=|\+\+|--))/

/** Components that read a signal but would not render again when it changes. */
export function componentsWithoutSignals({ code }: Pick<SourceFile, 'code'>): string[] {
  const plain = code.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, found => ' '.repeat(found.length))
  const found: string[] = []
  for (const match of plain.matchAll(
    /\bfunction\s+([A-Z]\w*)\s*(?:<[^>(]*>)?\(|\bconst\s+([A-Z]\w*)\s*(?::[^=\n]+)?=\s*(?:memo\()?(?=\()/g,
  )) {
    const parameters = plain.indexOf('(', match.index + match[0].length - 1)
    const open = plain.indexOf('{', closingBracket(plain, parameters))
    if (parameters < 0 || open < 0) continue
    const body = plain.slice(open, closingBracket(plain, open))
    if (readsSignal.test(body) && !/\buseSignals\(\)/.test(body)) found.push(match[1] ?? match[2] ?? '')
  }
  return found
}

/** The faults in a file's name, opening comment, size and exports. */
export function fileFaults({ path, text, code }: SourceFile): string[] {
  const faults: string[] = []
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isTest = /\.test\.tsx?$/.test(name)
  // Named by the language's code, and as long as the catalogue.
  const isTranslation = path.startsWith('web/texts/translations/')
  if (!isTranslation && !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d|\.sql)?\.tsx?$/.test(name))
    faults.push('its name is not kebab-case')
  const vague = path
    .split(/[/.]/)
    .find(part => /^(utils?|helpers?|services?|managers?|shared|types|common|misc)$/.test(part))
  if (vague !== undefined) faults.push(`'${vague}' fits anything and explains nothing`)
  if (!isTest && !/^(#![^\n]*\n)?\/\*\*\s+(\*\s+)?[^\s*]/.test(text))
    faults.push('it does not open with /** a sentence that says what it is for */')
  const lines = text.split('\n').length - 1
  if (!isTest && !isTranslation && lines > 450) faults.push(`it has ${lines} lines, but 450 are the limit: split it`)
  if (/^export \* from/m.test(code)) faults.push('it exports everything of another file (export *)')
  return faults
}
