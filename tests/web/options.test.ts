import { expect, test } from 'bun:test'
import { includeHidden } from '../../web/app/hidden.ts'
import {
  loadOptions,
  pageSize,
  rotation,
  rotations,
  searchTags,
  setOptions,
  theme,
  themes,
  view,
  viewModes,
} from '../../web/app/options.ts'

test('the default is pages of ten in the dark theme, no rotation, and hidden items not shown', () => {
  loadOptions()
  expect([view.value, pageSize.value, theme.value, rotation.value]).toEqual(['Paging', 10, 'dark', 0])
  expect(searchTags.value).toEqual(['Keywords', 'Category', 'People'])
  expect(includeHidden.value).toBe('')
})

test('offers the specified values, and takes the chosen ones', () => {
  expect<readonly unknown[]>([viewModes, themes, rotations]).toEqual([
    // The specification does not have the timeline.
    ['Paging', 'Infinite Scroll', 'Timeline'],
    ['dark', 'light'],
    [0, 90, 180, 270],
  ])
  setOptions({ view: 'Infinite Scroll', pageSize: 500 })
  expect([view.value, pageSize.value]).toEqual(['Infinite Scroll', 500])
  setOptions({ view: 'Paging', pageSize: 10 })
})
