/** Reads the project's own source as data: its files, and what each imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const projectRoot = join(import.meta.dir, '../..')
const folders = ['schema', 'core', 'server', 'cli', 'ink-tui', 'web', 'build', 'bench', 'tests']

export interface Import {
  /** As written: './x.ts', 'hono/cookie'. */
  specifier: string
  /** Path from the project's root of a file of ours; null for packages and built-in modules. */
  file: string | null
  /** `hono`, `@preact/signals-react`, `node:fs`; null for files of ours. */
  package: string | null
  /** Imports only types, which do not exist at run time. */
  typeOnly: boolean
  /** `import('…')`, which loads the module when the call runs. */
  lazy: boolean
}

export interface SourceFile {
  /** From the project's root, with `/`. */
  path: string
  text: string
  /** The text with comments blanked, for patterns that must not match prose. Same length, same lines. */
  code: string
  imports: Import[]
}

/** Replaces comments by spaces; strings stay as they are and may hold what looks like a comment. */
export function withoutComments(text: string): string {
  const pattern = /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g
  return text.replace(pattern, found => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found))
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

/** Every import and re-export of a module; `path` is relative to the root. */
export function importsOf(path: string, code: string): Import[] {
  const statement = /(?:^|[\n;])\s*(?:import|export)\s+(type\s+)?(?:[\w*${}\s,]+?\sfrom\s*)?(['"])([^'"\n]+)\2/g
  const call = /\bimport\(\s*(['"])([^'"\n]+)\1/g
  const found: Import[] = []
  const add = (specifier: string, typeOnly: boolean, lazy: boolean) => {
    const own = specifier.startsWith('.')
    const file = own ? relative(projectRoot, join(projectRoot, dirname(path), specifier)) : null
    found.push({ specifier, file, package: own ? null : packageOf(specifier), typeOnly, lazy })
  }
  for (const [whole, type, , specifier = ''] of code.matchAll(statement)) {
    const names = /\{([^}]*)\}/.exec(whole)?.[1]
    const eachIsType = names?.split(',').every(name => name.trim() === '' || name.trim().startsWith('type ')) ?? false
    const hasDefault = /import\s+\w+\s*,/.test(whole)
    add(specifier, type !== undefined || (eachIsType && !hasDefault), false)
  }
  for (const [, , specifier = ''] of code.matchAll(call)) add(specifier, false, true)
  return found
}

export function sourceFile(path: string, text: string): SourceFile {
  const code = withoutComments(text)
  return { path, text, code, imports: importsOf(path, code) }
}

/** All TypeScript of the project, build.ts included, sorted by path. */
export function readSourceTree(): SourceFile[] {
  const patterns = ['build.ts', ...folders.map(folder => `${folder}/**/*.{ts,tsx}`)]
  const paths = patterns.flatMap(pattern => [...new Bun.Glob(pattern).scanSync({ cwd: projectRoot })]).sort()
  return paths.map(path => sourceFile(path, readFileSync(join(projectRoot, path), 'utf8')))
}

/** Whether a file or folder of the project exists. */
export function exists(path: string): boolean {
  return existsSync(join(projectRoot, path))
}

/** A cycle of imports, types included, as a list of paths whose first and last are the same; null when there is none. */
export function findCycle(files: readonly SourceFile[]): string[] | null {
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.flatMap(({ file }) => (file === null ? [] : [file]))]),
  )
  const done = new Set<string>()
  const trail: string[] = []
  function visit(path: string): string[] | null {
    const at = trail.indexOf(path)
    if (at >= 0) return [...trail.slice(at), path]
    if (done.has(path)) return null
    trail.push(path)
    for (const next of edges.get(path) ?? []) {
      const cycle = visit(next)
      if (cycle !== null) return cycle
    }
    trail.pop()
    done.add(path)
    return null
  }
  for (const path of edges.keys()) {
    const cycle = visit(path)
    if (cycle !== null) return cycle
  }
  return null
}

/** The modules that loading `start` loads: paths of files, and names of packages. */
export function loadedModules(start: string, files: readonly SourceFile[]): Set<string> {
  const byPath = new Map(files.map(file => [file.path, file]))
  const loaded = new Set<string>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue
    loaded.add(path)
    for (const { file, package: name, typeOnly, lazy } of byPath.get(path)?.imports ?? []) {
      if (typeOnly || lazy) continue
      if (file !== null) waiting.push(file)
      else if (name !== null) loaded.add(name)
    }
  }
  return loaded
}
