import { describe, expect, test } from 'bun:test'
import {
  accessCalls,
  accessChangeCount,
  checkboxState,
  type DraftGroup,
  draftFaults,
  isRemovable,
  positionsOf,
  usernameFault,
} from '../../web/admin/collections/access-draft.ts'

function group(id: number, change: Partial<DraftGroup> = {}): DraftGroup {
  return {
    key: `group ${id}`,
    id,
    name: `Group ${id}`,
    admin: false,
    public: false,
    view: false,
    create: false,
    update: false,
    members: [],
    place: id,
    ...change,
  }
}

const admins = group(0, { admin: true, members: ['ines'] })
const visitors = group(1)
const family = group(2, { view: true, members: ['tom', 'mia'] })
const list = [admins, visitors, family]
const fresh = group(9, { key: 'new 1', id: null, place: null, name: 'Cousins' })

describe('the checkboxes of a group', () => {
  const table: [string, DraftGroup, 'admin' | 'public' | 'view' | 'create' | 'update', number, boolean, boolean][] = [
    ['public cannot be set on the first group', admins, 'public', 0, false, true],
    ['admin can be set on the first group', admins, 'admin', 0, true, false],
    ['admin cannot be set on the second group', visitors, 'admin', 1, false, true],
    ['public can be set on the second group', visitors, 'public', 1, false, false],
    ['any box can be set on later groups', family, 'admin', 2, false, false],
    ['any box can be set on later groups', family, 'public', 2, false, false],
    ['admin disables view', admins, 'view', 0, true, true],
    ['admin disables create', admins, 'create', 0, true, true],
    ['admin disables update', admins, 'update', 0, true, true],
    ['public disables view, which it implies', { ...visitors, public: true }, 'view', 1, true, true],
    ['public disables create', { ...visitors, public: true }, 'create', 1, false, true],
    ['public disables update', { ...visitors, public: true }, 'update', 1, false, true],
    ['rights can be set without admin and public', family, 'view', 2, true, false],
    ['rights can be set without admin and public', family, 'update', 2, false, false],
    ['a flag that must not be set can be removed', { ...visitors, admin: true }, 'admin', 1, true, false],
    ['a group of another user cannot be changed', { ...family, members: null }, 'view', 2, true, true],
  ]
  for (const [what, of, flag, place, checked, disabled] of table) {
    test(`${what} (${flag})`, () => {
      const box = checkboxState(of, flag, place)
      expect([box.checked, box.reason !== '']).toEqual([checked, disabled])
    })
  }
})

describe('the order of groups', () => {
  test('a new group comes last', () => {
    expect([...positionsOf(list, [...list, fresh]).values()]).toEqual([0, 1, 2, 3])
    expect([...positionsOf([admins], [admins, fresh]).values()]).toEqual([0, 1])
  })
  test('a new group is placed after a removed one, because groups are added before others are removed', () => {
    expect([...positionsOf([admins, visitors], [admins, fresh]).values()]).toEqual([0, 2])
  })
  test('when the first group is removed, the next admin group becomes the first', () => {
    expect([...positionsOf(list, [visitors, { ...family, admin: true }]).values()]).toEqual([1, 0])
  })
})

test('reports the faults of a draft', () => {
  expect(draftFaults(list, list)).toEqual({})
  expect(draftFaults(list, [visitors, family])).toEqual({ '': 'At least one admin group is required' })
  expect(draftFaults(list, [{ ...admins, public: true }, visitors])).toEqual({
    'group 0': 'Public cannot be set on the first group',
  })
  expect(draftFaults(list, [admins, { ...visitors, admin: true }])).toEqual({
    'group 1': 'Admin cannot be set on the second group',
  })
  expect(draftFaults(list, [admins, { ...visitors, name: ' ' }])).toEqual({ 'group 1': 'Name is required' })
  expect([
    isRemovable(list, 'group 0'),
    isRemovable(list, 'group 1'),
    isRemovable([...list, { ...fresh, admin: true }], 'group 0'),
  ]).toEqual([false, true, true])
})

describe('the calls of Save', () => {
  test('are empty when nothing changed', () => {
    expect(accessCalls(list, list)).toEqual([])
    expect(accessCalls(list, [admins, visitors, { ...family, members: ['Mia', 'TOM'] }])).toEqual([])
  })

  test('add and remove users and groups, and change flags', () => {
    const lent = group(7, { key: 'group 7', view: true, members: ['kim'], place: null })
    const after = [
      admins,
      { ...visitors, public: true },
      { ...fresh, view: true, members: ['zoe'] },
      { ...lent, members: ['kim', 'leo'], view: false },
      { ...family, members: ['tom', 'ada'], name: ' The family ' },
    ]
    const steps = accessCalls([...list, lent], after)
    expect(steps).toEqual([
      {
        do: 'create',
        key: 'new 1',
        group: { name: 'Cousins', admin: false, public: false, view: true, create: false, update: false },
      },
      { do: 'attach', key: 'new 1' },
      // The server compares the group as it was shown, not as it was edited.
      { do: 'attach', key: 'group 7', shown: { members: ['kim'], allows: ['view'] } },
      { do: 'add', key: 'new 1', username: 'zoe' },
      { do: 'add', key: 'group 7', username: 'leo' },
      { do: 'add', key: 'group 2', username: 'ada' },
      { do: 'update', key: 'group 1', group: { public: true } },
      { do: 'update', key: 'group 7', group: { view: false } },
      { do: 'update', key: 'group 2', group: { name: 'The family' } },
      { do: 'remove', key: 'group 2', username: 'mia' },
    ])
    expect(accessChangeCount(steps)).toBe(9)
  })

  test('ignore a group that was attached and removed before saving', () => {
    const lent = group(7, { view: true, place: null })
    expect(accessCalls([...list, lent], list)).toEqual([])
  })

  test('grant rights before they remove any, so that there is always an administrator', () => {
    const after = [{ ...family, admin: true, members: ['tom'] }, visitors]
    expect(accessCalls(list, after)).toEqual([
      { do: 'update', key: 'group 2', group: { admin: true } },
      { do: 'remove', key: 'group 2', username: 'mia' },
      { do: 'detach', key: 'group 0' },
    ])
  })
})

test('reports which users cannot be added', () => {
  const known = ['ines', 'tom', 'mia', 'ada']
  expect(usernameFault(' ', family, known)).toBe('Username is required')
  expect(usernameFault('Tom', family, known)).toBe('Tom is in this group already')
  expect(usernameFault('nobody', family, known)).toBe("There is no user 'nobody'.")
  expect(usernameFault('ada', family, known)).toBe('')
  expect(usernameFault('nobody', family, null)).toBe('')
})
