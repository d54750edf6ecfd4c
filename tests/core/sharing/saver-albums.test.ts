import { expect, test } from 'bun:test'
import { createRights } from '../../../core/accounts/rights.ts'
import { createAlbums } from '../../../core/albums/albums.ts'
import { createItems } from '../../../core/items/items.ts'
import { createOnThisDay } from '../../../core/items/on-this-day.ts'
import { createScreensavers } from '../../../core/sharing/screensavers.ts'
import { openTestLibrary } from '../../support/library.ts'

test("a screen saver of an album shows the items that the saver's owner sees, and nothing once that user does not see the album", async () => {
  const { db, clock, make, viewer } = openTestLibrary()
  const items = createItems({ db })
  const albums = createAlbums({ db, clock, items })
  const onThisDay = createOnThisDay({ items, clock })
  const savers = createScreensavers({ db, clock, items, onThisDay, rights: createRights(db) })
  const [ines, tom] = [await make.user('ines'), await make.user('tom')]
  const open = await make.collection({ public: true })
  const closed = await make.collection({ viewers: [ines] })
  const [sea, hills] = [await make.item({ collection: open }), await make.item({ collection: closed })]
  await make.item({ collection: open })
  const { id } = await albums.create(viewer(ines), { kind: 'hand', name: 'Summer', items: [sea, hills] })
  await albums.setMember(viewer(ines), id, { username: 'tom', role: 'view' })

  const saver = await savers.create(viewer(tom), { name: 'Hall', album: id })
  expect(saver.filters.album).toBe(id)
  const shown = async () => (await savers.next(viewer(tom), saver.id)).map(item => item.id)
  expect(await shown()).toEqual([sea])
  await albums.setMember(viewer(ines), id, { username: 'tom', role: null })
  expect(await shown()).toEqual([])
})
