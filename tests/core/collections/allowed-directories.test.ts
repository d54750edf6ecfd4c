import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createAllowedDirectories } from '../../../core/collections/allowed-directories.ts'
import { Failure } from '../../../schema/errors.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const onTheWeb: Viewer = { ...terminalViewer, kind: 'user' }
type Settings = Parameters<typeof createAllowedDirectories>[0]['settings']
const none: Settings = { collection_roots: [], tls_cert: '', tls_key: '', ffmpeg: '', ffprobe: '', exiftool: '' }

type Options = Omit<Parameters<typeof createAllowedDirectories>[0], 'settings'>

/** Why the web may not take a directory; '' where it may. */
function refusal(path: string, settings: Partial<Settings> = {}, more: Options = {}) {
  const allowed = createAllowedDirectories({ settings: { ...none, ...settings }, ...more })
  allowed.requireAllowed(terminalViewer, path, 'path')
  try {
    allowed.requireAllowed(onTheWeb, path, 'path')
    return ''
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect([error.code, error.field]).toEqual(['invalid', 'path'])
    expect(error.message).toStartWith(path)
    expect(error.message).toEndWith('or run in a terminal on the server: keepsake collection add DIR')
    return error.message
  }
}

const directory = temporaryDirectory()
const made = (path: string) => {
  mkdirSync(join(directory, path), { recursive: true })
  return join(directory, path)
}

describe('the web takes no', () => {
  test.each([
    '/',
    '/etc',
    '/etc/cron.d',
    '/proc/self',
    '/sys',
    '/dev/shm',
    '/boot',
    '/bin',
    '/sbin',
    '/lib/systemd',
    '/lib64',
    '/usr',
    '/usr/local/bin',
    '/run',
    '/run/user/1000',
    '/run/media',
    '/var',
    '/var/spool/cron',
    '/var/lib/something',
    '/var/home',
  ])('system directory: %s', path => expect(refusal(path, {}, { platform: 'linux' })).toMatch(/system/))

  test.each([
    '/System/Volumes',
    '/Library/LaunchDaemons',
    '/private/etc',
    '/Applications',
    '/users/ines/library/LaunchAgents',
  ])('system directory of macOS: %s', path =>
    expect(refusal(path, {}, { platform: 'darwin', home: '/Users/ines' })).toContain('system directory'),
  )

  test.each(['.ssh', '.config/systemd/user', 'pictures/.hidden/2019'])(
    'directory in one that begins with a dot: %s',
    path => expect(refusal(made(path))).toContain('begin with a dot'),
  )

  test('home directory’s .ssh, whether it is there or not', () =>
    expect(refusal(join(homedir(), '.ssh'))).toContain("'.ssh'"))

  test('link that leads to one of these, and nothing in what it leads to', () => {
    made('.secret/inner')
    symlinkSync(join(directory, '.secret'), join(directory, 'link'))
    symlinkSync('/etc', join(directory, 'system link'))
    expect(refusal(join(directory, 'link'))).toContain("'.secret'")
    expect(refusal(join(directory, 'link/inner'))).toContain("'.secret'")
    expect(refusal(join(directory, 'system link'))).toContain('/etc')
  })

  test.each(['tls_cert', 'tls_key', 'ffmpeg', 'ffprobe', 'exiftool'] as const)(
    'directory that holds what %s names',
    name => {
      const holder = made(`holds ${name}/deep`)
      const file = join(holder, 'file')
      writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
      for (const path of [holder, join(directory, `holds ${name}`)])
        expect(refusal(path, { [name]: file })).toContain(`holds ${file}`)
      // Nothing in it leads to the file.
      expect(refusal(made(`holds ${name}/pictures`), { [name]: file })).toBe('')
    },
  )

  test('directory of the program itself', () => {
    const project = resolve(import.meta.dir, '../../..')
    for (const path of [project, join(project, 'core'), resolve(project, '..')]) expect(refusal(path)).not.toBe('')
  })
})

describe('the web takes', () => {
  test.each([
    '/home/ines/Pictures',
    '/srv/photos',
    '/mnt/nas',
    '/media/ines/Disk',
    '/photos',
    '/data/2019',
    '/etcetera',
  ])('other directories: %s', path => expect(refusal(path, {}, { platform: 'linux' })).toBe(''))
  test.each(['/run/media/ines/Disk', '/var/home/ines/Pictures', '/var/mnt/nas', '/var/srv/photos'])(
    'what lies in a system directory and is none: %s',
    path => expect(refusal(path, {}, { platform: 'linux' })).toBe(''),
  )
  test.each(['/Users/ines/Pictures', '/Volumes/Disk', '/Users/ines/Library/CloudStorage/Photos'])(
    'on macOS: %s',
    path => expect(refusal(path, {}, { platform: 'darwin', home: '/Users/ines' })).toBe(''),
  )
})

describe('collection_roots', () => {
  const root = made('roots/photos')
  const settings = { collection_roots: [root] }

  test('lets the web take what is in them, and nothing else', () => {
    made('roots/photos/2019')
    made('roots/photos too')
    made('roots/outside')
    symlinkSync(join(directory, 'roots/outside'), join(root, 'way out'))
    expect(refusal(root, settings)).toBe('')
    expect(refusal(join(root, '2019'), settings)).toBe('')
    for (const path of ['roots', 'roots/photos too', 'roots/photos/way out'])
      expect(refusal(join(directory, path), settings)).toContain(`collection_roots (${root})`)
  })

  test('may be links themselves', () => {
    symlinkSync(root, join(directory, 'linked root'))
    const linked = { collection_roots: [join(directory, 'linked root')] }
    expect(refusal(join(directory, 'linked root'), linked)).toBe('')
    expect(refusal(join(root, '2019'), linked)).toBe('')
  })

  test('widen nothing', () => {
    expect(refusal('/etc/photos', { collection_roots: ['/etc'] })).toContain('system directory')
    expect(refusal(made('roots/photos/.ssh'), settings)).toContain("'.ssh'")
  })
})
