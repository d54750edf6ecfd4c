/** The form of a collection: its values, its errors, and the data to send. Pure. */
import {
  type Collection,
  type CollectionChanges,
  type NewCollection,
  newCollection,
} from '../../../schema/api/collections.ts'
import { faultsOf } from '../../kit/form/form.ts'
import { collectionsTexts } from '../../texts/collections.ts'

export type CollectionForm = {
  name: string
  path: string
  pathVariant: string
  managed: boolean
  folderFormat: string
  fileFormat: string
  readonly: boolean
  keepPrivate: boolean
  pairing: boolean
  writeBack: Collection['writeBack']
}

const defaultFolderFormat = '{Year}/{Month}'
const defaultPrefix = 'IMG_'

/** Initial values of the form; `of` is null for a new collection. */
export function collectionFormOf(of: Collection | null): CollectionForm {
  if (of === null) {
    return {
      name: '',
      path: '',
      pathVariant: '',
      managed: false,
      folderFormat: defaultFolderFormat,
      fileFormat: defaultPrefix,
      readonly: false,
      keepPrivate: false,
      pairing: true,
      writeBack: 'off',
    }
  }
  const { name, path, pathVariant, managed, folderFormat, fileFormat, readonly, keepPrivate, pairing, writeBack } = of
  return { name, path, pathVariant, managed, folderFormat, fileFormat, readonly, keepPrivate, pairing, writeBack }
}

/** Errors by field. Formats are checked only in a managed collection, the path only in a new one. */
export function collectionFaults(form: CollectionForm, exists: boolean): Record<string, string> {
  const { name, path, pathVariant, managed, folderFormat, fileFormat } = form
  const faults = faultsOf(newCollection, {
    name,
    path: exists ? '/fixed' : path,
    pathVariant,
    ...(managed ? { folderFormat, fileFormat } : {}),
  })
  if (managed && fileFormat.trim() === '') faults.fileFormat = collectionsTexts.prefixIsRequired
  return faults
}

/** The request body that creates a collection. */
export function newCollectionOf(form: CollectionForm): NewCollection {
  const { name, path, pathVariant, managed, folderFormat, fileFormat, readonly, keepPrivate, writeBack } = form
  return {
    name: name.trim(),
    path,
    pathVariant,
    managed,
    ...(managed ? { folderFormat, fileFormat } : {}),
    readonly,
    keepPrivate,
    writeBack,
  }
}

/** The changed values of a valid form; empty if nothing changed. */
export function changesOf(of: Collection, form: CollectionForm): CollectionChanges {
  const before = collectionFormOf(of)
  const changes: CollectionChanges = {}
  const name = form.name.trim()
  if (name !== before.name) changes.name = name
  if (form.pathVariant !== before.pathVariant) changes.pathVariant = form.pathVariant
  if (form.managed !== before.managed) changes.managed = form.managed
  if (form.managed && form.folderFormat !== before.folderFormat) changes.folderFormat = form.folderFormat
  if (form.managed && form.fileFormat !== before.fileFormat) changes.fileFormat = form.fileFormat
  if (form.readonly !== before.readonly) changes.readonly = form.readonly
  if (form.keepPrivate !== before.keepPrivate) changes.keepPrivate = form.keepPrivate
  if (form.pairing !== before.pairing) changes.pairing = form.pairing
  if (form.writeBack !== before.writeBack) changes.writeBack = form.writeBack
  return changes
}

/** Inserts a token, replacing the selection; returns the text and the caret position. */
export function withToken(
  text: string,
  selection: { start: number; end: number },
  token: string,
): { text: string; caret: number } {
  const inserted = `{${token}}`
  return {
    text: text.slice(0, selection.start) + inserted + text.slice(selection.end),
    caret: selection.start + inserted.length,
  }
}

/** Example path of a picture of 3 August 2019, 18:58, in the category Family. */
export function exampleOf({ folderFormat, fileFormat }: Pick<CollectionForm, 'folderFormat' | 'fileFormat'>): string {
  const values: Record<string, string> = {
    Year: '2019',
    Month: '08',
    MonthName: 'August',
    Category: collectionsTexts.family,
  }
  const folders = folderFormat.replace(/\{(\w+)\}/g, (_, token: string) => values[token] ?? '')
  return [...folders.split('/').filter(part => part !== ''), `${fileFormat}20190803_185800.jpg`].join('/')
}

/** The last folder of a path, as the default name. */
export function nameOfPath(path: string): string {
  return (
    path
      .split('/')
      .filter(part => part !== '')
      .at(-1) ?? ''
  )
}
