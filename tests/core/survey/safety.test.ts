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
    ['if nothing is missing', {}],
    ['on its first scan', { knownDevice: null, items: 0 }],
    ['on its first scan of an empty directory', { knownDevice: null, items: 0, root: empty }],
    ['if few of many files are missing', { vanishing: 100 }],
    ['if many files of a small library are missing', { items: 60, vanishing: 50 }],
    ['if the last items are missing but other files exist', { items: 3, vanishing: 3 }],
    ['if the device number changed but nothing is missing', { root: { ...present, device: '9' } as const }],
    ['if a user accepts the missing files', { vanishing: 1000, accepted: true }],
    ['if a user accepts the empty directory', { root: empty, accepted: true }],
    ['if a user accepts the missing directory', { root: absent, accepted: true }],
  ])('%s', (_, changes) => {
    expect(stopReason({ ...usual, ...changes })).toBeNull()
  })
})

describe('a scan stops', () => {
  test.each([
    ['if its directory is missing', { root: absent }, 'is not there'],
    ['if its directory is missing, even without items', { root: absent, items: 0 }, 'is not there'],
    ['if its directory is unreadable', { root: unreadable }, 'cannot be read. Permission denied (EACCES).'],
    [
      'if its directory is unreadable, even if a user accepts it',
      { root: unreadable, accepted: true },
      'cannot be read',
    ],
    [
      'if its directory is empty and was not before',
      { root: empty, items: 1 },
      'is empty, and 1 item was in it before',
    ],
    [
      'if one item is missing and the device number changed',
      { knownDevice: '8', vanishing: 1 },
      'another disk than before, and 1 item was not found',
    ],
    ['if more than a tenth is missing', { vanishing: 101 }, '101 of 1000 items were not found'],
    ['if more than 50 of a small library are missing', { items: 60, vanishing: 51 }, '51 of 60 items were not found'],
  ])('%s', (_, changes, words) => {
    const reason = stopReason({ ...usual, ...changes })
    expect(reason).toContain(words)
    expect(reason).toContain(path)
    expect(reason).toContain('Nothing was marked missing')
  })
})

describe('the state of a directory', () => {
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

  test('is empty when it contains only hidden and system files', () => {
    for (const [name, inside] of [
      ['empty', []],
      ['mount-point', ['lost+found', '.Trash-1000']],
    ] as const) {
      expect(rootState(make(name, ...inside))).toMatchObject({ kind: 'present', empty: true })
    }
  })

  test('is absent, or unreadable with a reason', () => {
    writeFileSync(join(root, 'file'), '')
    expect(rootState(join(root, 'nothing'))).toMatchObject({ kind: 'absent' })
    expect(rootState(join(root, 'file'))).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('ENOTDIR'),
    })
  })
})
