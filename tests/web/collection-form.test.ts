import { describe, expect, test } from 'bun:test'
import type { Collection } from '../../schema/api/collections.ts'
import {
  type CollectionForm,
  changesOf,
  collectionFaults,
  collectionFormOf,
  exampleOf,
  nameOfPath,
  newCollectionOf,
  withToken,
} from '../../web/admin/collections/collection-draft.ts'

const good: CollectionForm = { ...collectionFormOf(null), name: 'Family', path: '/srv/photos' }
const managed: CollectionForm = { ...good, managed: true }

const known: Collection = {
  id: 3,
  name: 'Phone uploads',
  path: '/srv/photos/phone',
  pathVariant: '',
  lastscan: '',
  folderFormat: '{Year}',
  fileFormat: 'P_',
  managed: true,
  readonly: false,
  writeBack: 'off',
  keepPrivate: false,
  pairing: true,
  itemcount: 0,
  rights: { view: true, create: true, update: true, admin: true },
  access: [],
  safetyStop: null,
}

describe('the collection form shows the specified messages', () => {
  test('accepts a valid collection', () => {
    expect(collectionFaults(good, false)).toEqual({})
    expect(collectionFaults(managed, false)).toEqual({})
  })

  const one: [keyof CollectionForm, string, string | undefined][] = [
    ['name', '', 'Name is required'],
    ['name', '   ', 'Name is required'],
    ['name', 'Ph', 'Name must be more than 2 characters'],
    ['name', 'Phi', undefined],
    ['path', '', 'Path is required'],
    ['path', 'srv/photos', 'Path is invalid'],
    ['path', '/', 'Path is invalid'],
    ['path', '/srv//photos', 'Path is invalid'],
    ['path', '/srv/photos/', 'Path is invalid'],
    ['path', '/srv/../photos', 'Path is invalid'],
    ['path', '/srv', undefined],
    ['path', '/srv/küste und garten/1931–1964', undefined],
    ['pathVariant', '', undefined],
    ['pathVariant', '/srv/edited', undefined],
    ['pathVariant', 'edited', 'Path is invalid'],
    ['pathVariant', '/srv//edited', 'Path is invalid'],
  ]
  for (const [field, value, fault] of one) {
    test(`${field} '${value}': ${fault ?? 'nothing is wrong'}`, () => {
      expect(collectionFaults({ ...good, [field]: value }, false)[field]).toBe(fault)
    })
  }

  const formats: [string, string | undefined][] = [
    ['', undefined],
    ['{Year}', undefined],
    ['{Year}/{Month}', undefined],
    ['{Year}/{MonthName}-{Category}', undefined],
    ['Photos_of/{Category}/{Year}-{Month}', undefined],
    ['{{Year}}', 'Overlapping open brackets'],
    ['{Year/{Month}', 'Overlapping open brackets'],
    ['{Year}}', 'Overlapping close brackets'],
    ['Year}', 'Overlapping close brackets'],
    ['{Year}/{Monht}', 'Invalid token (Monht)'],
    ['{}', 'Invalid token ()'],
    ['{year}', 'Invalid token (year)'],
    ['{Year}/{Month', 'Unclosed token'],
    ['{', 'Unclosed token'],
    ['{Year} {Month}', 'Invalid characters in path'],
    ['fotos.{Year}', 'Invalid characters in path'],
    ['Küste/{Year}', 'Invalid characters in path'],
    ['{Year}\\{Month}', 'Invalid characters in path'],
  ]
  for (const [folderFormat, fault] of formats) {
    test(`folder format '${folderFormat}': ${fault ?? 'nothing is wrong'}`, () => {
      expect(collectionFaults({ ...managed, folderFormat }, false).folderFormat).toBe(fault)
      // The format is checked only when managed.
      expect(collectionFaults({ ...good, folderFormat }, false)).toEqual({})
    })
  }

  test('requires a prefix only when managed', () => {
    for (const fileFormat of ['', '  ']) {
      expect(collectionFaults({ ...managed, fileFormat }, false)).toEqual({ fileFormat: 'Prefix is required' })
      expect(collectionFaults({ ...good, fileFormat }, false)).toEqual({})
    }
    expect(collectionFaults({ ...managed, fileFormat: 'a/b' }, false)).toEqual({
      fileFormat: 'A prefix has no slashes',
    })
  })

  test('reports all faults at once', () => {
    const wrong = { ...managed, name: 'Ph', path: '', pathVariant: 'x', folderFormat: '{Monht}', fileFormat: '' }
    expect(collectionFaults(wrong, false)).toEqual({
      name: 'Name must be more than 2 characters',
      path: 'Path is required',
      pathVariant: 'Path is invalid',
      folderFormat: 'Invalid token (Monht)',
      fileFormat: 'Prefix is required',
    })
  })

  test('does not check the path of an existing collection, which cannot change', () => {
    expect(collectionFaults({ ...good, path: 'C:\\old' }, true)).toEqual({})
  })
})

describe('the request', () => {
  test('for a new collection has formats only when managed', () => {
    expect(newCollectionOf({ ...good, name: ' Family ', folderFormat: '{{' })).toEqual({
      name: 'Family',
      path: '/srv/photos',
      pathVariant: '',
      managed: false,
      readonly: false,
      keepPrivate: false,
      writeBack: 'off',
    })
    expect(newCollectionOf({ ...managed, folderFormat: '{Year}', fileFormat: 'A' })).toMatchObject({
      managed: true,
      folderFormat: '{Year}',
      fileFormat: 'A',
    })
  })

  test('for an existing collection has only changed fields, and never the path', () => {
    const form = collectionFormOf(known)
    expect(changesOf(known, form)).toEqual({})
    expect(changesOf(known, { ...form, path: '/elsewhere', name: 'Phones', writeBack: 'sidecar' })).toEqual({
      name: 'Phones',
      writeBack: 'sidecar',
    })
    expect(changesOf(known, { ...form, managed: false, folderFormat: '{{' })).toEqual({ managed: false })
    expect(
      changesOf(known, {
        ...form,
        keepPrivate: true,
        readonly: true,
        pairing: false,
        pathVariant: '/v',
        fileFormat: 'Q',
      }),
    ).toEqual({ keepPrivate: true, readonly: true, pairing: false, pathVariant: '/v', fileFormat: 'Q' })
  })
})

test('inserts a token at the caret', () => {
  expect(withToken('', { start: 0, end: 0 }, 'Year')).toEqual({ text: '{Year}', caret: 6 })
  expect(withToken('a/b', { start: 2, end: 3 }, 'Month')).toEqual({ text: 'a/{Month}', caret: 9 })
})

test('shows an example path for a picture', () => {
  expect(exampleOf({ folderFormat: '{Year}/{MonthName}-{Category}', fileFormat: 'P_' })).toBe(
    '2019/August-Family/P_20190803_185800.jpg',
  )
  expect(exampleOf({ folderFormat: '', fileFormat: '' })).toBe('20190803_185800.jpg')
})

test('suggests the name of the folder as the name of the collection', () => {
  expect(nameOfPath('/srv/photos/family/')).toBe('family')
  expect(nameOfPath('')).toBe('')
})
