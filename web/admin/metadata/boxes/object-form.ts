/** The form of an object: its errors and its changes. Pure. */
import type { ObjectProperty, ThingObject } from '../../../../schema/api/objects.ts'
import { limits } from '../../../../schema/limits.ts'
import { sameWord, tooLongText } from '../../../kit/words.ts'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'

export interface PropertyDraft {
  /** Unique in the form. */
  key: number
  name: string
  value: string
  hidden: boolean
}

export interface ObjectDraft {
  name: string
  description: string
  /** Typed name of the object's kind; '' for none. */
  parent: string
  properties: readonly PropertyDraft[]
}

type Thing = Pick<ThingObject, 'id' | 'name' | 'isObjectId'>
type Edited = Omit<ThingObject, 'itemcount'>

const tidy = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Objects that can be the kind of object `id`: not that object, nor any whose kind it is, even indirectly. */
export function parentsFor<Of extends Thing>(all: readonly Of[], id: number): Of[] {
  const own = new Set([id])
  for (let before = 0; own.size > before; ) {
    before = own.size
    for (const one of all) if (one.isObjectId !== null && own.has(one.isObjectId)) own.add(one.id)
  }
  return all.filter(one => !own.has(one.id))
}

const parentName = ({ isObjectId }: Pick<Edited, 'isObjectId'>, all: readonly Thing[]) =>
  all.find(({ id }) => id === isObjectId)?.name ?? ''

export function objectDraft(object: Edited, all: readonly Thing[]): ObjectDraft {
  const { name, description, properties } = object
  return {
    name,
    description,
    parent: parentName(object, all),
    properties: properties.map(({ id, name, value, hidden }) => ({ key: id, name, value, hidden })),
  }
}

export function withProperty(draft: ObjectDraft): ObjectDraft {
  const key = Math.min(0, ...draft.properties.map(one => one.key)) - 1
  return { ...draft, properties: [...draft.properties, { key, name: '', value: '', hidden: false }] }
}

export function withoutProperty(draft: ObjectDraft, key: number): ObjectDraft {
  return { ...draft, properties: draft.properties.filter(one => one.key !== key) }
}

export function changeProperty(draft: ObjectDraft, key: number, change: Partial<PropertyDraft>): ObjectDraft {
  return { ...draft, properties: draft.properties.map(one => (one.key === key ? { ...one, ...change } : one)) }
}

export interface ObjectFaults {
  name: string | null
  description: string | null
  parent: string | null
  /** Errors of the properties by their keys. */
  properties: ReadonlyMap<number, { name: string | null; value: string | null }>
}

function parentFault(text: string, { id }: Pick<Edited, 'id'>, all: readonly Thing[]): string | null {
  if (text === '') return null
  const named = all.find(({ name }) => sameWord(name, text))
  if (named === undefined) return metadataTexts.noSuchObject
  return parentsFor(all, id).includes(named) ? null : metadataTexts.objectPartOfItself
}

export function objectFaults(draft: ObjectDraft, object: Pick<Edited, 'id'>, all: readonly Thing[]): ObjectFaults {
  const name = tidy(draft.name)
  const named = all.some(one => one.id !== object.id && sameWord(one.name, name))
  const names = draft.properties.map(one => tidy(one.name))
  const properties = draft.properties.map(({ key, value }, at) => {
    const text = names[at] ?? ''
    const again = names.indexOf(text) < at ? metadataTexts.propertyExists : null
    const long = text.length > limits.propertyNameLength ? tooLongText(baseTexts.name, limits.propertyNameLength) : null
    return [
      key,
      {
        name: text === '' ? baseTexts.nameIsRequired : (long ?? again),
        value:
          value.length > limits.objectTextLength
            ? tooLongText(metadataTexts.propertyValue, limits.objectTextLength)
            : null,
      },
    ] as const
  })
  return {
    name:
      name === ''
        ? baseTexts.nameIsRequired
        : name.length > limits.objectNameLength
          ? tooLongText(baseTexts.name, limits.objectNameLength)
          : named
            ? metadataTexts.objectExists
            : null,
    description:
      draft.description.length > limits.objectTextLength
        ? tooLongText(metadataTexts.description, limits.objectTextLength)
        : null,
    parent: parentFault(tidy(draft.parent), object, all),
    properties: new Map(properties),
  }
}

export function isObjectFaultless({ name, description, parent, properties }: ObjectFaults): boolean {
  const wrong = [...properties.values()].some(one => one.name !== null || one.value !== null)
  return name === null && description === null && parent === null && !wrong
}

export interface ObjectChanges {
  /** Absent fields stay unchanged. */
  fields: { name?: string; description?: string; isObjectId?: number | null }
  /** Properties to save: new ones, and those whose value or visibility was changed. */
  savedProperties: Omit<ObjectProperty, 'id'>[]
  removedPropertyIds: number[]
}

/** Returns what was changed. Properties are matched by their names, as by the server. */
export function objectChanges(object: Edited, draft: ObjectDraft, all: readonly Thing[]): ObjectChanges {
  const [name, parent] = [tidy(draft.name), tidy(draft.parent)]
  const isObjectId = parent === '' ? null : (all.find(one => sameWord(one.name, parent))?.id ?? object.isObjectId)
  const wanted = draft.properties.map(one => ({ name: tidy(one.name), value: one.value, hidden: one.hidden }))
  const known = new Map(object.properties.map(one => [one.name, one]))
  const names = new Set(wanted.map(one => one.name))
  return {
    fields: {
      ...(name === object.name ? {} : { name }),
      ...(draft.description === object.description ? {} : { description: draft.description }),
      // If the kind is not in `all`, the field is empty, and leaving it empty must not remove the kind.
      ...(isObjectId === object.isObjectId || parent === parentName(object, all) ? {} : { isObjectId }),
    },
    savedProperties: wanted.filter(one => {
      const old = known.get(one.name)
      return old === undefined || old.value !== one.value || old.hidden !== one.hidden
    }),
    removedPropertyIds: object.properties.filter(one => !names.has(one.name)).map(({ id }) => id),
  }
}

export function isObjectChanged({ fields, savedProperties, removedPropertyIds }: ObjectChanges): boolean {
  return Object.keys(fields).length + savedProperties.length + removedPropertyIds.length > 0
}
