import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createAllowedDirectories } from '../../../core/collections/allowed-directories.ts'
import { Failure } from '../../../schema/errors.ts'
import { temporaryDirectory, temporaryOnDisk } from '../../support/temporary.ts'

temporaryOnDisk()

const webViewer: Viewer = { ...terminalViewer, kind: 'user' }
type Settings = Parameters<typeof createAllowedDirectories>[0]['settings']
const none: Settings = { collection_roots: [], tls_cert: '', tls_key: '', ffmpeg: '', ffprobe: '', exiftool: '' }

type Options = Omit<Parameters<typeof createAllowedDirectories>[0], 'settings'>

/** Returns why web users may not add a directory, or '' if they may. */
function refusal(path: string, settings: Partial<Settings> = {}, more: Options = {}) {
  const allowed = createAllowedDirectories({ settings: { ...none, ...settings }, ...more })
  allowed.requireAllowed(terminalViewer, path, 'path')
  try {
    allowed.requireAllowed(webViewer, path, 'path')
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
const createDirectory = (path: string) => {
  mkdirSync(join(directory, path), { recursive: true })
  return join(directory, path)
}

describe('web users may not add', () => {
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
  ])('a system directory: %s', path => expect(refusal(path, {}, { platform: 'linux' })).toMatch(/system/))

  test.each([
    '/System/Volumes',
    '/Library/LaunchDaemons',
    '/private/etc',
    '/Applications',
    '/users/ines/library/LaunchAgents',
  ])('a system directory of macOS: %s', path =>
    expect(refusal(path, {}, { platform: 'darwin', home: '/Users/ines' })).toContain('system directory'),
  )

  test.each(['.ssh', '.config/systemd/user', 'pictures/.hidden/2019'])(
    'a directory within a hidden directory: %s',
    path => expect(refusal(createDirectory(path))).toContain('begin with a dot'),
  )

  test('the directory .ssh of a home directory, even if it does not exist', () =>
    expect(refusal(join(homedir(), '.ssh'))).toContain("'.ssh'"))

  test('a link to a hidden or system directory, or a path below such a link', () => {
    createDirectory('.secret/inner')
    symlinkSync(join(directory, '.secret'), join(directory, 'link'))
    symlinkSync('/etc', join(directory, 'system link'))
    expect(refusal(join(directory, 'link'))).toContain("'.secret'")
    expect(refusal(join(directory, 'link/inner'))).toContain("'.secret'")
    expect(refusal(join(directory, 'system link'))).toContain('/etc')
  })

  test.each(['tls_cert', 'tls_key', 'ffmpeg', 'ffprobe', 'exiftool'] as const)(
    'a directory that contains the file of the setting %s',
    name => {
      const holder = createDirectory(`holds ${name}/deep`)
      const file = join(holder, 'file')
      writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
      for (const path of [holder, join(directory, `holds ${name}`)])
        expect(refusal(path, { [name]: file })).toContain(`holds ${file}`)
      // This directory does not contain the file.
      expect(refusal(createDirectory(`holds ${name}/pictures`), { [name]: file })).toBe('')
    },
  )

  test('the directory of the program, or a directory within or around it', () => {
    const project = resolve(import.meta.dir, '../../..')
    for (const path of [project, join(project, 'core'), resolve(project, '..')]) expect(refusal(path)).not.toBe('')
  })
})

describe('web users may add', () => {
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
    'directories of users within system directories: %s',
    path => expect(refusal(path, {}, { platform: 'linux' })).toBe(''),
  )
  test.each(['/Users/ines/Pictures', '/Volumes/Disk', '/Users/ines/Library/CloudStorage/Photos'])(
    'directories on macOS: %s',
    path => expect(refusal(path, {}, { platform: 'darwin', home: '/Users/ines' })).toBe(''),
  )
})

describe('collection_roots', () => {
  const root = createDirectory('roots/photos')
  const settings = { collection_roots: [root] }

  test('allows web users to add only directories within these roots', () => {
    createDirectory('roots/photos/2019')
    createDirectory('roots/photos too')
    createDirectory('roots/outside')
    symlinkSync(join(directory, 'roots/outside'), join(root, 'way out'))
    expect(refusal(root, settings)).toBe('')
    expect(refusal(join(root, '2019'), settings)).toBe('')
    for (const path of ['roots', 'roots/photos too', 'roots/photos/way out'])
      expect(refusal(join(directory, path), settings)).toContain(`collection_roots (${root})`)
  })

  test('may contain links', () => {
    symlinkSync(root, join(directory, 'linked root'))
    const linked = { collection_roots: [join(directory, 'linked root')] }
    expect(refusal(join(directory, 'linked root'), linked)).toBe('')
    expect(refusal(join(root, '2019'), linked)).toBe('')
  })

  test('does not allow system directories or hidden directories', () => {
    expect(refusal('/etc/photos', { collection_roots: ['/etc'] })).toContain('system directory')
    expect(refusal(createDirectory('roots/photos/.ssh'), settings)).toContain("'.ssh'")
  })
})
