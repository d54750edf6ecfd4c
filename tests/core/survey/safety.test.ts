import { describe, expect, test } from 'bun:test'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RootState, rootState, stopReason } from '../../../core/survey/safety.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const path = '/srv/photos'
const present: RootState = { path, kind: 'present', device: '7', empty: false }
const usual = { root: present, knownDevice: '7', items: 1000, vanishing: 0, accepted: false }
const absent: RootState = { path, kind: 'absent' }
const empty: RootState = { ...present, empty: true }
const unreadable: RootState = { path, kind: 'unreadable', reason: 'Permission denied (EACCES)' }

describe('a scan may mark items missing', () => {
  test.each([
    ['when nothing vanished', {}],
    ['on its first scan', { knownDevice: null, items: 0 }],
    ['on its first scan of an empty directory', { knownDevice: null, items: 0, root: empty }],
    ['when few vanished of many', { vanishing: 100 }],
    ['when many vanished in a small library', { items: 60, vanishing: 50 }],
    ['when the last ones vanished and something else is there', { items: 3, vanishing: 3 }],
    ['when the disk has another number and everything is there', { root: { ...present, device: '9' } as const }],
    ['when somebody says that they are gone', { vanishing: 1000, accepted: true }],
    ['when somebody says that the empty directory is right', { root: empty, accepted: true }],
    ['when somebody says that the directory is gone', { root: absent, accepted: true }],
  ])('%s', (_, look) => {
    expect(stopReason({ ...usual, ...look })).toBeNull()
  })
})

describe('a scan stops', () => {
  test.each([
    ['when its directory is not there', { root: absent }, 'is not there'],
    ['when its directory is not there, even without items', { root: absent, items: 0 }, 'is not there'],
    ['when its directory cannot be read', { root: unreadable }, 'cannot be read. Permission denied (EACCES).'],
    ['when its directory cannot be read, whatever is said', { root: unreadable, accepted: true }, 'cannot be read'],
    ['when its directory is empty and was not', { root: empty, items: 1 }, 'is empty, and 1 item was in it before'],
    [
      'when one item vanished and the disk is another',
      { knownDevice: '8', vanishing: 1 },
      'another disk than before, and 1 item was not found',
    ],
    ['when more than a tenth vanished', { vanishing: 101 }, '101 of 1000 items were not found'],
    ['when more than fifty vanished of few', { items: 60, vanishing: 51 }, '51 of 60 items were not found'],
  ])('%s', (_, look, words) => {
    const reason = stopReason({ ...usual, ...look })
    expect(reason).toContain(words)
    expect(reason).toContain(path)
    expect(reason).toContain('Nothing was marked missing')
  })
})

describe('a directory as it is found', () => {
  const root = temporaryDirectory()
  const make = (name: string, ...inside: string[]) => {
    mkdirSync(join(root, name))
    for (const entry of inside) mkdirSync(join(root, name, entry))
    return join(root, name)
  }

  test('is present, with its device', () => {
    const full = make('full', '2019')
    expect(rootState(full)).toEqual({ path: full, kind: 'present', device: String(statSync(full).dev), empty: false })
  })

  test('is empty when only hidden names and those of the file system are in it', () => {
    for (const [name, inside] of [
      ['empty', []],
      ['mount-point', ['lost+found', '.Trash-1000']],
    ] as const) {
      expect(rootState(make(name, ...inside))).toMatchObject({ kind: 'present', empty: true })
    }
  })

  test('is absent, or unreadable with the reason', () => {
    writeFileSync(join(root, 'file'), '')
    expect(rootState(join(root, 'nothing'))).toMatchObject({ kind: 'absent' })
    expect(rootState(join(root, 'file'))).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('ENOTDIR'),
    })
  })
})
