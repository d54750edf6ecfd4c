/** `npm run test:quick`: runs the unit tests that have changed, or that import a changed file or one beside it. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = join(import.meta.dir, '..')
/** Tests that start processes, terminals or browsers. Only `npm test` runs them. */
const slow = /^tests\/(walks|tui|cli|long|server)\/|^tests\/(binary|rights|canary|bad-input)/

function lines(command: string[]): string[] {
  const { stdout } = Bun.spawnSync(command, { cwd: root })
  return stdout.toString().split('\n').filter(Boolean)
}

/** Files of the project that a file imports, relative to the project. */
function importsOf(file: string): string[] {
  const transpiler = new Bun.Transpiler({ loader: file.endsWith('x') ? 'tsx' : 'ts' })
  const imports = transpiler.scanImports(readFileSync(join(root, file), 'utf8'))
  const own = imports.filter(({ path }) => path.startsWith('.'))
  return own.map(({ path }) => relative(root, resolve(root, dirname(file), path)))
}

const changed = lines(['git', 'diff', '--name-only', 'HEAD']).concat(
  lines(['git', 'ls-files', '--others', '--exclude-standard']),
)
const code = changed.filter(file => /\.tsx?$/.test(file))
const rooms = new Set(code.filter(file => !file.startsWith('tests/')).map(file => dirname(file)))
const tests = lines(['git', 'ls-files', '--cached', '--others', '--exclude-standard', 'tests']).filter(
  file => /\.test\.tsx?$/.test(file) && !slow.test(file),
)
const wanted = tests.filter(
  test => code.includes(test) || importsOf(test).some(file => code.includes(file) || rooms.has(dirname(file))),
)
if (wanted.length === 0) {
  console.log('No unit test imports a changed file. `npm test` runs all tests.')
  process.exit(0)
}
console.log(`${wanted.length} of ${tests.length} unit test files`)
const files = wanted.map(file => `./${file}`)
const child = Bun.spawn([process.execPath, 'test', '--parallel=2', '--only-failures', '--timeout=30000', ...files], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(await child.exited)
