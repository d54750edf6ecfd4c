import { expect, test } from 'bun:test'
import { createItems } from '../../../core/items/items.ts'
import { openTestLibrary } from '../../support/library.ts'

test('folder: finds the items of a folder and of those below it, for users who see paths', async () => {
  const { db, make, viewer } = openTestLibrary()
  const [owner, reader] = [await make.user(), await make.user()]
  const family = await make.collection({ updaters: [owner], viewers: [reader] })
  const work = await make.collection({ viewers: [owner] })
  const rome = await make.item({ collection: family, folder: '2019/Rome' })
  const inn = await make.item({ collection: family, folder: '2019/Rome/50% _off_', taken: '2019-05-01' })
  const old = await make.item({ collection: family, folder: 'scans/2019/Rome', taken: '1980-05-01' })
  const romeo = await make.item({ collection: family, folder: '2019/Romeo' })
  const atRoot = await make.item({ collection: family })
  await make.item({ collection: work, folder: '2019/Rome' })
  const items = createItems({ db })
  const found = (q: string, userId: number | null = owner) =>
    [...items.idsOf(viewer(userId), 0, { q }, { limit: 100 }).ids].sort((a, b) => a - b)

  expect(found('folder:2019/rome')).toEqual([rome, inn, old])
  expect(found('folder:="/2019/Rome/"')).toEqual([rome, inn])
  expect(found('folder:Rome year:1980')).toEqual([old])
  expect(found('folder:"50% _off_"')).toEqual([inn])
  expect(found('folder:5__')).toEqual([])
  expect(found('folder:2019 -folder:Rome')).toEqual([romeo])
  expect(found('folder:Romeo OR folder:scans')).toEqual([old, romeo])
  expect(found('-folder:2019')).toContain(atRoot)
  expect(found('folder:/')).toEqual([])
  // Viewers see names of files only.
  expect(found('folder:Rome', reader)).toEqual([])
  expect(found('folder:Rome', null)).toEqual([])
})
