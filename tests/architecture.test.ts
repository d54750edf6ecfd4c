import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  componentsWithoutSignals,
  coreRooms,
  fileFaults,
  importFault,
  mayTouchFiles,
  roomOf,
  touchesFiles,
  webRooms,
  writesSql,
} from './support/import-rules.ts'
import { diagramIn, roomDiagram } from './support/layer-diagram.ts'
import { longFunctions } from './support/long-functions.ts'
import {
  exists,
  findCycle,
  importsOf,
  loadedModules,
  projectRoot,
  readSourceTree,
  sourceFile,
  withoutComments,
} from './support/source-tree.ts'
import { textsInJsx } from './support/texts-in-jsx.ts'

const files = readSourceTree()

describe('the architecture', () => {
  test('the source tree is read completely', () => {
    const rooms = new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1)))
    for (const room of [
      'schema/api/',
      'core/',
      'core/media/decode/',
      'server/',
      'cli/commands/items/',
      'web/app/',
      'tests/support/',
    ]) {
      expect(rooms).toContain(room)
    }
    expect(files.filter(({ imports }) => imports.length > 0).length).toBeGreaterThan(100)
  })

  test('files import only what their room may import', () => {
    const faults = files.flatMap(({ path, imports }) =>
      imports.flatMap(one => {
        const fault = importFault(path, one)
        return fault === null ? [] : [`${path} imports ${one.specifier}: ${fault}`]
      }),
    )
    expect(faults).toEqual([])
  })

  test('every import names an existing file with its extension', () => {
    const faults = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ file, specifier }) => {
        if (file === null) return []
        if (!/\.(ts|tsx|json|sql|css|html|txt|svg)$/.test(file))
          return [`${path} imports ${specifier} without its extension`]
        return exists(file) ? [] : [`${path} imports ${specifier}, which does not exist`]
      }),
    )
    expect(faults).toEqual([])
  })

  test('there are no import cycles', () => {
    expect(findCycle(files)?.join(' → ') ?? 'no cycle').toBe('no cycle')
  })

  test('every room of core and web is in the list of rooms', () => {
    const inRooms = files.map(({ path }) => path).filter(path => /^(core|web)\//.test(path) && !path.endsWith('.d.ts'))
    const known = (path: string) => (path.startsWith('core/') ? coreRooms : webRooms).includes(roomOf(path))
    expect(inRooms.filter(path => !known(path))).toEqual([])
  })

  test('web/app holds at most 40 files', () => {
    expect(files.filter(({ path }) => path.startsWith('web/app/')).length).toBeLessThanOrEqual(40)
  })

  test('a folder holds at most 25 files of its own', () => {
    const held = files
      .map(({ path }) => path)
      .filter(path => /^(core|server|cli|ink-tui|schema|web|build)\//.test(path))
    const folders = Map.groupBy(held, path => path.slice(0, path.lastIndexOf('/')))
    expect([...folders].flatMap(([folder, own]) => (own.length > 25 ? [`${folder}: ${own.length}`] : []))).toEqual([])
  })

  test('a function has at most 100 lines', () => {
    const product = files.filter(({ path }) => !/^(tests|bench)\//.test(path))
    const long = product.flatMap(file => longFunctions(file)).map(({ path, name }) => `${path} ${name}`)
    expect(long).toEqual([])
  })

  test('texts of the pages are in web/texts, not in JSX', () => {
    const pages = files.filter(({ path }) => path.startsWith('web/') && path.endsWith('.tsx'))
    expect(pages.flatMap(textsInJsx)).toEqual([])
  })

  test('SQL is written in *.sql.ts; elsewhere drizzle builds it', () => {
    expect(files.filter(writesSql).map(({ path }) => path)).toEqual([])
  })

  test('keepsake --help loads the commands, but not the code that they run', () => {
    const light =
      /^(cli\/|core\/(kernel\/(build-info|worker-command|terminal-text)|files\/(disk-error|names))\.ts$|schema\/(album-words|errors|limits|keys|figures|locale|job-words|api\/parts\/option-tree)\.ts$|ink-tui\/text\.ts$|package\.json$|commander$|node:)/
    const heavy = [...loadedModules('cli/main.ts', files)].filter(name => !light.test(name))
    expect(heavy).toEqual([])
  })

  test('the first page load contains only the gallery and its frame; other parts load when they are needed', () => {
    const lazyParts =
      /^web\/(file-manager|map|faces\/(?!part)|plugins\/(host|loader|remote|plugin-screen)|admin|saver|viewer|on-this-day|account\/first-start|(?!kit).*-dialog\.tsx$)|leaflet|cropper/
    expect([...loadedModules('web/main.tsx', files)].filter(name => lazyParts.test(name))).toEqual([])
    // With a top-level await, the bundler would put each module that later parts also need into its own file.
    expect(readFileSync(join(projectRoot, 'web/main.tsx'), 'utf8')).not.toMatch(/^await /m)
  })

  test('only the listed modules access files', () => {
    const named = Object.keys(mayTouchFiles)
    const isNamed = (path: string) => named.some(name => (name.endsWith('/') ? path.startsWith(name) : path === name))
    const touching = files.filter(touchesFiles).map(({ path }) => path)
    expect(touching.filter(path => !isNamed(path))).toEqual([])
    const unused = named.filter(
      name => !touching.some(path => (name.endsWith('/') ? path.startsWith(name) : path === name)),
    )
    expect(unused.map(name => `${name} is listed but accesses no files`)).toEqual([])
  })

  test('components that read a signal call useSignals', () => {
    const faults = files
      .filter(({ path }) => /^web\/.*\.tsx$/.test(path))
      .flatMap(file =>
        componentsWithoutSignals(file).map(
          name => `${file.path}: ${name} reads .value and does not call useSignals() (in a handler: .peek())`,
        ),
      )
    expect(faults).toEqual([])
  })

  test('files follow the rules for names, opening comments and size', () => {
    expect(files.flatMap(file => fileFaults(file).map(fault => `${file.path}: ${fault}`))).toEqual([])
  })

  test('ARCHITECTURE.md shows the rooms of core as they import each other', () => {
    expect(diagramIn(readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8'))).toBe(roomDiagram(files))
  })

  test('ARCHITECTURE.md and the decisions name only files and folders that exist', () => {
    const pages = ['ARCHITECTURE.md', ...new Bun.Glob('docs/decisions/*.md').scanSync({ cwd: projectRoot })]
    const text = pages.map(page => readFileSync(join(projectRoot, page), 'utf8')).join('\n')
    const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path)
    const ours = named.filter(path =>
      /^(schema|core|server|cli|ink-tui|web|build|tests|bench|docs|\.ci)\/[\w./*-]*$/.test(path),
    )
    const missing = ours.filter(path =>
      path.includes('*')
        ? new Bun.Glob(path).scanSync({ cwd: projectRoot, dot: true }).next().done === true
        : !exists(path),
    )
    expect(missing).toEqual([])
    expect(ours.length).toBeGreaterThan(10)
  })
})

describe('the architecture rules', () => {
  const forbidden = [
    ['schema/client.ts', '../core/library.ts'],
    ['schema/api/items.ts', '../tables/items.ts'],
    ['schema/errors.ts', 'hono'],
    ['core/items/items.ts', '../../server/app.ts'],
    ['core/items/items.ts', 'hono'],
    ['core/work/jobs.ts', 'commander'],
    ['core/work/jobs.ts', 'react'],
    ['core/items/items.ts', 'sharp'],
    ['core/items/items.ts', 'bun:sqlite'],
    ['server/app.ts', '../cli/output.ts'],
    ['server/app.ts', '../web/app.tsx'],
    ['cli/main.ts', '../web/app.tsx'],
    ['ink-tui/app.tsx', '../server/app.ts'],
    ['web/api.ts', '../core/items/items.ts'],
    ['web/api.ts', '../schema/settings.ts'],
    ['web/api.ts', 'node:path'],
    ['web/gallery/home.tsx', 'leaflet'],
    ['web/file-manager/panel.tsx', '../api.ts'],
    ['web/file-manager/panel.tsx', 'wouter'],
    ['web/file-manager/panel.tsx', '../../schema/client.ts'],
    ['web/app.tsx', './file-manager/panel.tsx'],
    ['web/gallery/card.tsx', 'cropperjs'],
    ['web/kit/button.tsx', '../app/session.ts'],
    ['web/app/session.ts', '../gallery/home.tsx'],
    ['core/items/items.ts', '../../tests/support/make.ts'],
    ['core/items/items.ts', 'playwright'],
    ['core/work/jobs.ts', '../items/items.ts'],
    ['core/items/items.ts', '../library.ts'],
  ] as const
  for (const [from, specifier] of forbidden) {
    test(`${from} may not import ${specifier}`, () => {
      const [found] = importsOf(from, `import { x } from '${specifier}'\n`)
      expect(found === undefined ? null : importFault(from, found)).toBeString()
    })
  }

  const allowed = [
    ['schema/api/items.ts', '../limits.ts'],
    ['schema/tables/items.ts', 'drizzle-orm'],
    ['core/items/items.ts', '../../schema/tables/items.ts'],
    ['server/app.ts', '../core/library.ts'],
    ['cli/commands/scanning/serve.ts', '../../../server/serve.ts'],
    ['web/api.ts', '../schema/client.ts'],
    ['web/map/world.tsx', 'leaflet'],
    ['web/file-manager/panel.tsx', '../../schema/api/file-manager.ts'],
    ['web/file-manager/panel.tsx', '../../schema/limits.ts'],
    ['web/file-manager/dialogs/crop.tsx', 'cropperjs'],
    ['web/admin/files/files.tsx', '../../file-manager/panel.tsx'],
    ['tests/core/items/items.test.ts', '../../../core/items/items.ts'],
    ['tests/walks/first-start.test.ts', 'playwright'],
  ] as const
  for (const [from, specifier] of allowed) {
    test(`${from} may import ${specifier}`, () => {
      const [found] = importsOf(from, `import { x } from '${specifier}'\n`)
      expect(found).toBeDefined()
      expect(found === undefined ? 'not found' : importFault(from, found)).toBeNull()
    })
  }

  test('sharp is loaded lazily, in one place', () => {
    const [eager] = importsOf('core/media/decode/sharp.ts', "import sharp from 'sharp'\n")
    const [lazy] = importsOf('core/media/decode/sharp.ts', "const sharp = await import('sharp')\n")
    expect(eager === undefined ? null : importFault('core/media/decode/sharp.ts', eager)).toContain('await import')
    const [type] = importsOf('core/media/decode/sharp.ts', "import type sharp from 'sharp'\n")
    expect(lazy === undefined ? '' : importFault('core/media/decode/sharp.ts', lazy)).toBeNull()
    expect(type === undefined ? '' : importFault('core/media/decode/sharp.ts', type)).toBeNull()
  })

  test('finds imports in every form, except in comments', () => {
    const text = [
      "import 'bun:test'",
      "import type { A } from './a.ts'",
      "import { type B, type C } from './b.ts'",
      "import D, { type E } from './d.ts'",
      'import {\n  f,\n  g as h,\n} from "./f.ts"',
      "import * as i from './i.ts'",
      "import sql from './j.sql' with { type: 'text' }",
      "export { k } from './k.ts'",
      "const l = () => import('./l.ts')",
      "// import { no } from './no.ts'",
      "/* import { no } from './no.ts' */",
    ].join('\n')
    const found = importsOf('core/x.ts', withoutComments(text))
    expect(
      found.map(({ specifier, typeOnly, lazy }) => `${specifier}${typeOnly ? ' type' : ''}${lazy ? ' lazy' : ''}`),
    ).toEqual([
      'bun:test',
      './a.ts type',
      './b.ts type',
      './d.ts',
      './f.ts',
      './i.ts',
      './j.sql',
      './k.ts',
      './l.ts lazy',
    ])
  })

  test('finds texts in the children and shown properties of JSX', () => {
    const text = `<Hint heading="One" message={'two'} look="ghost">Three{String('four')}{n + ' s'}{t('key')}</Hint>`
    const found = textsInJsx({ path: 'web/a.tsx', text })
    expect(found.map(one => one.slice(one.indexOf('"'))).sort()).toEqual(['"One"', '"Three"', '"four"', '"s"', '"two"'])
  })

  test('findCycle returns the modules of an import cycle in order', () => {
    const cycle = [
      sourceFile('core/a.ts', "import './b.ts'"),
      sourceFile('core/b.ts', "import './c.ts'"),
      sourceFile('core/c.ts', `const x = await ${'import'}('./b.ts')`),
    ]
    expect(findCycle(cycle)).toEqual(['core/b.ts', 'core/c.ts', 'core/b.ts'])
    expect(findCycle(cycle.slice(0, 2))).toBeNull()
    const byType = [
      sourceFile('core/a.ts', "import './b.ts'"),
      sourceFile('core/b.ts', "import type { A } from './a.ts'"),
    ]
    expect(findCycle(byType)).toEqual(['core/a.ts', 'core/b.ts', 'core/a.ts'])
  })

  test('finds a component that reads a signal without useSignals', () => {
    const text = `
      export function Good({ a }: { a: number }) { useSignals(); return <p title={'}'}>{count.value}</p> }
      export function Bad<T>(props: { list: T[] }) { return <p>{count.value}</p> }
      const Arrow = ({ a }: Props) => { const n = count.value; return <p>{n}</p> }
      export function Writer() { return <button type="button" onClick={() => { count.value = 3; count.value++ }} /> }
      export function Typing() { return <input onChange={event => save(event.target.value, ref.current?.value)} /> }
      function plain() { return count.value }`
    expect(componentsWithoutSignals({ code: text })).toEqual(['Bad', 'Arrow'])
  })

  test('reports a file with a wrong name, no opening comment or too many lines', () => {
    const opening = '/** What it is for. */\n'
    expect(fileFaults(sourceFile('core/items/items.ts', `${opening}export const a = 1\n`))).toEqual([])
    expect(fileFaults(sourceFile('core/itemList.ts', opening))[0]).toContain('kebab-case')
    expect(fileFaults(sourceFile('core/utils.ts', opening))[0]).toContain("'utils'")
    expect(fileFaults(sourceFile('core/items/items.ts', 'export const a = 1\n'))[0]).toContain('does not open')
    expect(fileFaults(sourceFile('core/items/items.ts', opening + 'a\n'.repeat(450)))[0]).toContain('451 lines')
    expect(fileFaults(sourceFile('core/items/items.ts', `${opening}export * from './a.ts'\n`))[0]).toContain('export *')
  })
})
