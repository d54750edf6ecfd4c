import { expect, test } from 'bun:test'
import { createRights } from '../../../core/accounts/rights.ts'
import { openTestLibrary } from '../../support/library.ts'

const nobody = { userId: null }

test('changes of groups, memberships and access apply to rights immediately', async () => {
  const { db, make } = openTestLibrary()
  const user = await make.user()
  const collection = await make.collection({ viewers: [user] })
  const rights = createRights(db)
  const run = (sql: string, ...values: number[]) => db.transact(nobody, tx => void tx.run(sql, ...values))
  const mine = () => rights.of(user).get(collection)
  expect(mine()).toMatchObject({ view: true, update: false })
  expect(rights.of(null).get(collection)).toBeUndefined()

  await run(
    'UPDATE access_groups SET "update" = 1 WHERE id IN (SELECT group_id FROM access_members WHERE user_id = ?)',
    user,
  )
  expect(mine()).toMatchObject({ view: true, update: true })
  await run('UPDATE access_groups SET public = 1')
  expect(rights.of(null).get(collection)).toMatchObject({ view: true, update: false })
  await run('UPDATE access_groups SET public = 0')
  expect(rights.of(null).get(collection)).toBeUndefined()

  await run('DELETE FROM access_members WHERE user_id = ?', user)
  expect(mine()).toBeUndefined()
  await run('INSERT INTO access_members (group_id, user_id) SELECT max(id), ? FROM access_groups', user)
  expect(mine()).toMatchObject({ view: true })
  await run('DELETE FROM access_groups')
  expect(mine()).toBeUndefined()
})

test('a deleted user loses their memberships and rights', async () => {
  const { db, make } = openTestLibrary()
  const user = await make.user()
  const collection = await make.collection({ viewers: [user] })
  const rights = createRights(db)
  expect(rights.of(user).has(collection)).toBe(true)
  await db.transact(nobody, tx => void tx.run('DELETE FROM users WHERE id = ?', user))
  expect(rights.of(user).has(collection)).toBe(false)
})
