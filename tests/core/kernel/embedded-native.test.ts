import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  extractFiles,
  isProtected,
  loadEmbeddedAddon,
  nativeDirectories,
} from '../../../core/kernel/embedded-native.ts'

const userId = process.geteuid?.() ?? null
const otherUserId = (userId ?? 0) + 4711
let directory: string

beforeEach(() => {
  // Not in /tmp, because its sticky bit would affect the checks.
  directory = mkdtempSync(join(process.env.HOME ?? '/', 'native-'))
  writeFileSync(join(directory, 'carried.so'), 'native code')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const carried = () => [{ to: 'lib/inner.so', from: join(directory, 'carried.so'), size: 11 }]

test('places files in their layout, accessible only to this user', () => {
  const target = join(directory, 'target')
  extractFiles(target, carried(), userId)
  expect(readFileSync(join(target, 'lib/inner.so'), 'utf8')).toBe('native code')
  expect(statSync(target).mode & 0o777).toBe(0o700)
  expect(statSync(join(target, 'lib/inner.so')).mode & 0o777).toBe(0o500)
  expect(readdirSync(join(target, 'lib'))).toEqual(['inner.so'])
})

test('keeps a file of the right size and replaces a truncated one', () => {
  const target = join(directory, 'target')
  const inner = join(target, 'lib/inner.so')
  extractFiles(target, carried(), userId)
  const { ino } = statSync(inner)
  extractFiles(target, carried(), userId)
  expect(statSync(inner).ino).toBe(ino)
  chmodSync(inner, 0o700)
  writeFileSync(inner, 'native')
  extractFiles(target, carried(), userId)
  expect(readFileSync(inner, 'utf8')).toBe('native code')
})

test('removes partial files of killed processes, but not partial files that are still being written', () => {
  const target = join(directory, 'target')
  mkdirSync(join(target, 'lib'), { recursive: true })
  writeFileSync(join(target, 'lib/inner.so.1-old'), 'nat')
  writeFileSync(join(target, 'lib/inner.so.2-new'), 'nati')
  utimesSync(join(target, 'lib/inner.so.1-old'), 0, 0)
  extractFiles(target, carried(), userId)
  expect(readdirSync(join(target, 'lib')).sort()).toEqual(['inner.so', 'inner.so.2-new'])
})

test('replaces a link at the path of a file and does not write through it', () => {
  const target = join(directory, 'target')
  const elsewhere = join(directory, 'elsewhere')
  writeFileSync(elsewhere, '12345678901')
  mkdirSync(join(target, 'lib'), { recursive: true, mode: 0o700 })
  symlinkSync(elsewhere, join(target, 'lib/inner.so'))
  extractFiles(target, carried(), userId)
  expect(lstatSync(join(target, 'lib/inner.so')).isSymbolicLink()).toBe(false)
  expect(readFileSync(elsewhere, 'utf8')).toBe('12345678901')
})

test('refuses a directory that others may change, that belongs to another user, or that is a link', () => {
  const target = join(directory, 'target')
  mkdirSync(target, { mode: 0o700 })
  expect(isProtected(target, userId)).toBe(true)
  expect(isProtected(target, otherUserId)).toBe(userId === 0)
  chmodSync(target, 0o777)
  expect(isProtected(target, userId)).toBe(false)
  expect(() => extractFiles(target, carried(), userId)).toThrow('can be changed by other users')
  chmodSync(target, 0o1777)
  expect(isProtected(target, userId)).toBe(false)
  chmodSync(target, 0o700)
  symlinkSync(target, join(directory, 'link'))
  expect(isProtected(join(directory, 'link'), userId)).toBe(false)
})

test('accepts a parent directory that others may change only if its sticky bit is set', () => {
  const parent = join(directory, 'parent')
  mkdirSync(join(parent, 'child'), { recursive: true, mode: 0o700 })
  chmodSync(parent, 0o777)
  expect(isProtected(join(parent, 'child'), userId)).toBe(false)
  chmodSync(parent, 0o1777)
  expect(isProtected(join(parent, 'child'), userId)).toBe(true)
})

test('prefers the cache directory, then the home directory, then a temporary one of this user', () => {
  const [first, second, third, ...more] = nativeDirectories({ XDG_CACHE_HOME: '/var/cache/me', HOME: '/home/me' }, 1000)
  expect([first, second]).toEqual(['/var/cache/me/keepsake', '/home/me/.cache/keepsake'])
  expect(third).toEndWith('/keepsake-1000')
  expect(more).toEqual([])
  expect(nativeDirectories({ XDG_CACHE_HOME: 'relative', HOME: '' }, 1000)).toHaveLength(1)
})

test('reports every directory that it tried if loading fails', () => {
  const environment = { HOME: join(directory, 'home') }
  const load = () => loadEmbeddedAddon({ version: 'v1', files: carried(), addon: 'lib/inner.so' }, environment)
  expect(load).toThrow(/could not be loaded[\s\S]*home\/\.cache\/keepsake\/native-v1: [\s\S]*keepsake-native-/)
})

/** Loads sharp's addon like the executable does, in its own process, because a process can load only one libvips. */
function loadSharp(environment: Record<string, string>) {
  const packages = join(import.meta.dir, '../../../node_modules/@img')
  const files = readdirSync(packages)
    .filter(name => name.startsWith('sharp-'))
    .flatMap(name => readdirSync(join(packages, name, 'lib')).map(file => `${name}/lib/${file}`))
    .filter(file => /\.(node|dll)$|\.so(\.|$)|\.dylib$/.test(file))
    .map(to => ({ to, from: join(packages, to), size: statSync(join(packages, to)).size }))
  const addon = files.find(({ to }) => to.endsWith('.node'))?.to ?? ''
  const program = `
    import { loadEmbeddedAddon } from ${JSON.stringify(join(import.meta.dir, '../../../core/kernel/embedded-native.ts'))}
    const loaded = loadEmbeddedAddon(${JSON.stringify({ version: 'v2', files, addon })})
    console.log(Reflect.get(loaded, 'libvipsVersion')().semver)
    const { readFileSync } = await import('node:fs')
    console.log(readFileSync('/proc/self/maps', 'utf8').split('\\n').find(line => line.includes('libvips-cpp'))?.split(' ').filter(part => part !== '').slice(5).join(' '))`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', program], {
    env: { TMPDIR: process.env.TMPDIR ?? '/tmp', ...environment },
  })
  const [version = '', place = ''] = stdout.toString().trim().split('\n')
  return { version, place, errors: stderr.toString() }
}

test('loads a real addon with its linked library, and removes old versions', () => {
  const home = join(directory, 'home')
  const old = join(home, '.cache/keepsake/native-v0')
  const recent = join(home, '.cache/keepsake/native-v1')
  for (const path of [old, recent]) mkdirSync(path, { recursive: true })
  utimesSync(old, 0, 0)
  const { version, place, errors } = loadSharp({ HOME: home })
  expect(errors).toBe('')
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(place).toStartWith(join(home, '.cache/keepsake/native-v2/'))
  expect(existsSync(old)).toBe(false)
  expect(existsSync(recent)).toBe(true)
})

/** Creates a temporary directory like /tmp. Returns it with the directory in it that this user's files get. */
function createTemporaryDirectory() {
  const temporary = join(directory, 'tmp')
  mkdirSync(temporary, { mode: 0o1777 })
  chmodSync(temporary, 0o1777)
  return { temporary, ofUser: join(temporary, `keepsake-${userId ?? 'user'}`) }
}

test('without a writable home, uses the temporary directory of this user', () => {
  const { temporary, ofUser } = createTemporaryDirectory()
  const { place, errors } = loadSharp({ TMPDIR: temporary, HOME: '/proc/no-home' })
  expect(errors).toBe('')
  expect(place).toStartWith(ofUser)
})

test('if others may change the temporary directory of this user, uses a new one and removes it at the end', () => {
  const { temporary, ofUser } = createTemporaryDirectory()
  mkdirSync(join(ofUser, 'native-v2'), { recursive: true })
  chmodSync(ofUser, 0o777)
  const { version, place, errors } = loadSharp({ TMPDIR: temporary, HOME: '/proc/no-home' })
  expect(errors).toBe('')
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(place).toContain('/keepsake-native-')
  expect(readdirSync(temporary).filter(name => name.startsWith('keepsake-native-'))).toEqual([])
})
