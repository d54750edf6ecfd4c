/** Finds the packages of a bundle, and writes the notices with their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dir, '..')

/** Directories of the packages of `inputs` (paths of a bundle's files, relative to the repository). */
export function packageDirectoriesOf(inputs: Iterable<string>): Set<string> {
  const directories = new Set<string>()
  for (const input of inputs) {
    const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(resolve(root, input))
    if (match?.[1] !== undefined) directories.add(match[1])
  }
  return directories
}

function textField(record: object, name: string): string {
  const value: unknown = Reflect.get(record, name)
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) {
    const inner: unknown = Reflect.get(value, name === 'license' ? 'type' : 'url')
    if (typeof inner === 'string') return inner
  }
  return ''
}

const licenceFileName = /^(licen[cs]e|copying|notice|third[-_]?party)/i

function noticeOf(directory: string): string {
  const record: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  if (typeof record !== 'object' || record === null) throw new Error(`${directory}/package.json is no object`)
  const name = textField(record, 'name')
  const files = readdirSync(directory)
    .filter(file => licenceFileName.test(file))
    .sort()
  // Prebuilt libvips has no licence file: its README lists the linked libraries and their licences.
  if (name.startsWith('@img/sharp-libvips')) files.push('README.md')
  const texts = files.map(file => readFileSync(join(directory, file), 'utf8').trim())
  const home = textField(record, 'homepage') || textField(record, 'repository').replace(/^git\+/, '')
  return [
    `${name} ${textField(record, 'version')}`,
    `Licence: ${textField(record, 'license') || 'see below'}`,
    ...(home === '' ? [] : [`Home: ${home}`]),
    ...texts.map(text => `\n${text}`),
  ].join('\n')
}

/** The notice for Bun, which is linked in, not bundled; its package has little information. */
function runtimeNotice(): string {
  return [
    `Bun ${Bun.version}`,
    'Licence: MIT',
    'Home: https://bun.com',
    '',
    'The runtime inside this executable. It links JavaScriptCore and parts of WebKit (LGPL-2.1), SQLite (public domain),',
    'BoringSSL, zlib, brotli, zstd, libarchive, c-ares, libuv and others under their own licences; the list, with the',
    'sources and how to relink them, is at https://bun.com/docs/project/licensing.',
  ].join('\n')
}

/** The notices that the executable must carry: every package in it, with its licence. */
export function thirdPartyNotices(directories: Iterable<string>): string {
  const separator = `\n\n${'-'.repeat(100)}\n\n`
  // The same version of a package may be in several places.
  const notices = new Set(
    [...directories].filter(directory => existsSync(join(directory, 'package.json'))).map(noticeOf),
  )
  const byName = [...notices].sort((a, b) => a.localeCompare(b, 'en'))
  const introduction =
    'Keepsake carries the following software of others. Each is used under its own licence, which is given here.'
  return `${[introduction, runtimeNotice(), ...byName].join(separator)}\n`
}
