import { beforeAll, describe, expect, test } from 'bun:test'
import { type Seeded, seedLibrary } from '../../../bench/seed-library.ts'
import type { Viewer } from '../../../core/accounts/access.ts'
import { countByKey, countOfKey } from '../../../core/vocabulary/key-counts.ts'
import { type KeyKind, keyKinds, tagBits } from '../../../schema/keys.ts'
import { openTestLibrary, type TestLibrary } from '../../support/library.ts'

describe('counts of keystrings, people and objects over a seeded library', () => {
  let library: TestLibrary
  let seeded: Seeded
  let viewers: Record<string, Viewer>

  beforeAll(async () => {
    library = openTestLibrary()
    const { db, make } = library
    seeded = await seedLibrary(db, { items: 3000 })
    const [first = 0, , third = 0] = seeded.collections
    const member = await make.user()
    await db.transact({ userId: null }, tx => {
      const group = tx.run("INSERT INTO access_groups (name, view) VALUES ('members', 1)").lastInsertRowid
      for (const id of [first, third]) {
        tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 9)', id, group)
      }
      tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, member)
      // One public collection keeps its people private.
      tx.run('UPDATE collections SET keep_private = 1 WHERE id = ?', seeded.publicCollections[0] ?? 0)
    })
    const admin = await make.user('admin', { globalAdmin: true })
    viewers = {
      visitor: library.viewer(null),
      stranger: library.viewer(await make.user()),
      member: library.viewer(member),
      'global admin': library.viewer(admin),
    }
  })

  /** Counts by reading every item. */
  function counted(viewer: Viewer, kind: KeyKind, includeHidden: boolean, tags: number): Map<number, number> {
    const pending = new Set(
      library.db.all<{ id: number }>('SELECT keystring_id AS id FROM pending_hide').map(r => r.id),
    )
    const discreet = library.db.all<{ id: number }>('SELECT id FROM collections WHERE keep_private = 1').map(r => r.id)
    const counts = new Map<number, number>()
    for (const item of library.db.all<{ collection_id: number; state: number; keys: string }>(
      'SELECT collection_id, state, keys FROM items',
    )) {
      const rights = viewer.rights.get(item.collection_id)
      if (!viewer.globalAdmin && rights?.view !== true) continue
      if (item.state > 1 || (item.state === 1 && !includeHidden)) continue
      // Only global admins see people and objects of the collection that keeps them private.
      if (kind !== 'keystring' && discreet.includes(item.collection_id) && !viewer.globalAdmin) continue
      const keys: [number, number][] = JSON.parse(item.keys)
      if (!includeHidden && keys.some(([key]) => (key & 3) === keyKinds.keystring && pending.has(key >> 2))) continue
      for (const [key, bits] of keys) {
        if ((key & 3) !== keyKinds[kind] || (bits & tags) === 0) continue
        counts.set(key >> 2, (counts.get(key >> 2) ?? 0) + 1)
      }
    }
    return counts
  }

  const sorted = (counts: Map<number, number>) => [...counts].sort(([a], [b]) => a - b)
  const all = Object.values(tagBits).reduce((sum, bit) => sum | bit, 0)

  function compareAll() {
    let compared = 0
    for (const [name, viewer] of Object.entries(viewers)) {
      for (const includeHidden of [false, true]) {
        for (const kind of ['keystring', 'person', 'object'] as const) {
          for (const tags of kind === 'keystring' ? [all, tagBits.Keywords, tagBits.Category] : [all]) {
            const found = sorted(countByKey(library.db, viewer, kind, { includeHidden, tags }))
            expect({ name, kind, includeHidden, tags, found }).toEqual({
              name,
              kind,
              includeHidden,
              tags,
              found: sorted(counted(viewer, kind, includeHidden, tags)),
            })
            compared += found.length
            if (tags !== all) continue
            for (const [id, n] of found) expect(countOfKey(library.db, viewer, kind, id, includeHidden)).toBe(n)
          }
        }
      }
    }
    return compared
  }

  test('are those of the items that the viewer sees', () => {
    expect(compareAll()).toBeGreaterThan(3000)
  })

  test('exclude items of a keystring that is being hidden, before any item is marked', async () => {
    await library.make.pendingHide(seeded.keywords[0] ?? 0)
    await library.make.pendingHide(seeded.categories[1] ?? 0)
    expect(compareAll()).toBeGreaterThan(1000)
    const visitors = countByKey(library.db, viewers.visitor ?? library.viewer(null), 'keystring', {
      includeHidden: false,
    })
    const [hidden = 0] = seeded.keywords
    expect(visitors.has(hidden)).toBe(false)
    expect(countOfKey(library.db, viewers.visitor ?? library.viewer(null), 'keystring', hidden, false)).toBe(0)
  })
})
