import { describe, expect, test } from 'bun:test'
import type { ThingObject } from '../../schema/api/objects.ts'
import {
  changeProperty,
  isObjectChanged,
  isObjectFaultless,
  type ObjectDraft,
  objectChanges,
  objectDraft,
  objectFaults,
  parentsFor,
  withoutProperty,
  withProperty,
} from '../../web/admin/metadata/boxes/object-form.ts'

const thing = (id: number, name: string, isObjectId: number | null = null): ThingObject => ({
  id,
  name,
  description: '',
  isObjectId,
  properties: [],
  itemcount: 0,
})

const bike: ThingObject = {
  ...thing(3, 'Red bike', 2),
  description: 'Of the year before',
  properties: [
    { id: 11, name: 'Colour', value: 'red', hidden: false },
    { id: 12, name: 'Price', value: '400', hidden: true },
  ],
}
const all = [thing(1, 'Vehicle'), thing(2, 'Bicycle', 1), bike, thing(4, 'Bell', 3), thing(5, 'Tree')]
const start = objectDraft(bike, all)
const changed = (draft: ObjectDraft) => objectChanges(bike, draft, all)
const nothing = { fields: {}, savedProperties: [], removedPropertyIds: [] }

describe('an object can be one of', () => {
  for (const [id, names] of [
    [3, ['Vehicle', 'Bicycle', 'Tree']],
    [1, ['Tree']],
    [5, ['Vehicle', 'Bicycle', 'Red bike', 'Bell']],
  ] as const) {
    test(`${names.join(', ')} (${id})`, () => expect(parentsFor(all, id).map(({ name }) => name)).toEqual([...names]))
  }

  test('the objects that are not of its kind, even when two objects are kinds of each other', () => {
    const ring = [thing(1, 'a', 2), thing(2, 'b', 1), thing(3, 'c')]
    expect(parentsFor(ring, 1).map(({ id }) => id)).toEqual([3])
    expect(parentsFor(ring, 3).map(({ id }) => id)).toEqual([1, 2])
  })
})

describe('what is wrong with an object', () => {
  const faults = (change: Partial<ObjectDraft>) => objectFaults({ ...start, ...change }, bike, all)

  test('nothing when it is unchanged', () => {
    expect(isObjectFaultless(faults({}))).toBe(true)
  })

  for (const [name, fault] of [
    ['  ', 'Name is required'],
    ['x'.repeat(200), null],
    ['x'.repeat(201), 'Name must be at most 200 characters'],
    ['red BIKE', null],
    [' tree ', 'There is an object of this name already'],
  ] as const) {
    test(`name ${name.slice(0, 10)}, ${name.length}: ${fault}`, () => expect(faults({ name }).name).toBe(fault))
  }

  for (const [parent, fault] of [
    ['', null],
    [' vehicle', null],
    ['Boat', 'There is no object of this name'],
    ['Red bike', 'An object cannot be part of itself'],
    ['Bell', 'An object cannot be part of itself'],
  ] as const) {
    test(`is a '${parent}': ${fault}`, () => expect(faults({ parent }).parent).toBe(fault))
  }

  test('a description of more than 4,000 characters', () => {
    expect(faults({ description: 'x'.repeat(4000) }).description).toBeNull()
    expect(faults({ description: 'x'.repeat(4001) }).description).toBe('Description must be at most 4,000 characters')
  })

  test('properties without a name, of the same name, and too long ones', () => {
    const added = withProperty(start)
    const key = added.properties.at(-1)?.key ?? 0
    const of = (change: { name?: string; value?: string }) =>
      objectFaults(changeProperty(added, key, change), bike, all).properties.get(key)
    expect(of({})?.name).toBe('Name is required')
    expect(of({ name: ' Price ' })?.name).toBe('There is a property of this name already')
    // The server compares property names exactly.
    expect(of({ name: 'price' })?.name).toBeNull()
    expect(of({ name: 'x'.repeat(101) })?.name).toBe('Name must be at most 100 characters')
    expect(of({ name: 'a', value: 'x'.repeat(4001) })?.value).toBe('Value must be at most 4,000 characters')
  })
})

describe('the changes of an object', () => {
  test('are empty when nothing changed', () => {
    expect(changed(start)).toEqual(nothing)
    expect(changed({ ...start, name: ' Red  bike ', parent: 'BICYCLE' })).toEqual(nothing)
    expect(isObjectChanged(changed(start))).toBe(false)
  })

  test('contain each changed field', () => {
    expect(changed({ ...start, name: 'Blue bike' })).toEqual({ ...nothing, fields: { name: 'Blue bike' } })
    expect(changed({ ...start, description: '' })).toEqual({ ...nothing, fields: { description: '' } })
    expect(changed({ ...start, parent: 'tree' })).toEqual({ ...nothing, fields: { isObjectId: 5 } })
    expect(changed({ ...start, parent: ' ' })).toEqual({ ...nothing, fields: { isObjectId: null } })
  })

  test('contain new, changed, renamed and removed properties', () => {
    const added = withProperty(start)
    const key = added.properties.at(-1)?.key ?? 0
    const bell = changeProperty(added, key, { name: 'Bell ', value: 'loud' })
    expect(changed(bell).savedProperties).toEqual([{ name: 'Bell', value: 'loud', hidden: false }])
    expect(changed(changeProperty(start, 12, { hidden: false })).savedProperties).toEqual([
      { name: 'Price', value: '400', hidden: false },
    ])
    expect(changed(changeProperty(start, 11, { name: 'Paint' }))).toEqual({
      fields: {},
      savedProperties: [{ name: 'Paint', value: 'red', hidden: false }],
      removedPropertyIds: [11],
    })
    expect(changed(withoutProperty(start, 12))).toEqual({ ...nothing, removedPropertyIds: [12] })
  })

  test('keep two properties that swap their names', () => {
    const swapped = changeProperty(changeProperty(start, 11, { name: 'Price' }), 12, { name: 'Colour' })
    expect(changed(swapped)).toEqual({
      fields: {},
      savedProperties: [
        { name: 'Price', value: 'red', hidden: false },
        { name: 'Colour', value: '400', hidden: true },
      ],
      removedPropertyIds: [],
    })
  })

  test('keep a parent that is not in the list', () => {
    const stray = { ...bike, isObjectId: 99 }
    const draft = objectDraft(stray, all)
    expect(draft.parent).toBe('')
    expect(objectChanges(stray, draft, all)).toEqual(nothing)
  })
})
