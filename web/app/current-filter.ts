/** The current filter, read from the address, and its changes. */
import { computed } from '@preact/signals-react'
import type { SearchableTag } from '../../schema/limits.ts'
import { address, go } from './address.ts'
import {
  type AlbumSort,
  emptyFilter,
  type Filter,
  hasWords,
  isEmpty,
  lacksOrder,
  queryOf,
  readFilter,
  readPage,
  writeFilter,
} from './filter.ts'
import { includeHidden } from './hidden.ts'
import { searchTags, setOptions } from './options.ts'

const search = computed(() => address.value.search)

export const filter = computed(() => readFilter(search.value))
export const page = computed(() => readPage(search.value))
export const filtered = computed(() => !isEmpty(filter.value))

/** Screens that have a filter; on other screens, setting a filter goes to Home. */
const filteredScreens = ['/world-map', '/on-this-day', '/screen-saver']
/** Screens and tabs with a table of items, which have a filter; the other tabs of Manage Tags have none. */
const filteredTables = ['/admin/transfer', '/admin/tagging', '/admin/tagging/replace']
const screen = computed(() => {
  const { path } = address.value
  if (filteredTables.includes(path)) return path
  return filteredScreens.find(start => path.startsWith(start)) ?? '/'
})

/** Id of the person whose page the gallery shows: the search has no other chip. 0 if it shows no such page. */
export const openPerson = computed(() => {
  const { album, groups } = filter.value
  const [group = []] = groups
  const [only] = group
  const isPage = album === 0 && groups.length === 1 && group.length === 1 && only?.kind === 'Person' && !only.not
  return isPage ? only.id : 0
})

/** Address of a person's page: the gallery with their items. */
export function addressOfPerson(id: number, name: string): string {
  return `/${writeFilter({ ...emptyFilter, groups: [[{ kind: 'Person', id, text: name, not: false }]] })}`
}

const filterWithoutAlbum = () => ({ ...filter.value, album: 0, sort: null })

/** Address of an album in the gallery. */
export function addressOfAlbum(album: number, sort: AlbumSort): string {
  return `/${writeFilter({ ...emptyFilter, album, sort: sort === '-taken' ? null : sort })}`
}

/** Whether the address names an album without an order. */
export const isInOwnOrder = computed(() => lacksOrder(search.value))

/** Puts the album's own order into an address without one. */
export function applyOwnOrder(sort: AlbumSort): void {
  go(screen.value + writeFilter({ ...filter.value, sort: sort === '-taken' ? null : sort }), { replace: true })
}

/** Address of a screen in the menu. Screens with a filter keep the present filter. */
export function addressOfScreen(path: string): string {
  if (path === '/') {
    // From an album or a person's page, Home leads to the whole gallery.
    const isAtPerson = openPerson.value !== 0 && screen.value === '/'
    const { album, groups } = filter.value
    const isLeaving = album !== 0 || isAtPerson
    return isLeaving
      ? `/${writeFilter({ ...filterWithoutAlbum(), groups: isAtPerson ? [] : groups })}`
      : homeAddress.value
  }
  if (path === '/admin/metadata') return addressOfEditor()
  const isFiltered = filteredScreens.includes(path) || filteredTables.includes(path)
  return isFiltered ? path + writeFilter(filter.value) : path
}

/** Whether the present screen, other than Home, has a filter. */
export const isOnFilteredScreen = computed(() => screen.value !== '/')

/** The tag sets to search: those of the address if it has words, so that links keep their meaning, else the option's. */
export const searchedTags = computed(() => (hasWords(filter.value) ? filter.value.tags : searchTags.value))

/** Applies another filter and goes to its first page. */
export function setFilter(change: Partial<Filter>): void {
  go(screen.value + writeFilter({ ...filter.value, tags: searchedTags.value, ...change }))
}

export function setSearchedTags(tags: readonly SearchableTag[]): void {
  setOptions({ searchTags: [...tags] })
  if (hasWords(filter.value)) setFilter({ tags })
}

/** The parameter for the order of the list; none for newest first, the only order in which lists have months. */
export const sortQuery = computed(() => (filter.value.sort === null ? {} : { sort: filter.value.sort }))

/** Parameters of the present filter for calls; they include hidden items while those are shown. */
export const filterQuery = computed(() => queryOf(filter.value, includeHidden.value))

export function clearFilter(): void {
  const { album, sort } = filter.value
  setFilter({ ...emptyFilter, album, sort })
}

export function setPage(number: number, replace = false): void {
  go(screen.value + writeFilter(filter.value, number), { replace })
}

/** Address of the editor of these items or, if there are none, of the selected ones. It has the gallery's filter, for the way back. */
export function addressOfEditor(ids: readonly number[] = []): string {
  const query = writeFilter(filter.value, page.value)
  const items = ids.length === 0 ? '' : `${query === '' ? '?' : '&'}items=${ids.join(',')}`
  return `/admin/metadata${query}${items}`
}

export const homeAddress = computed(() => `/${writeFilter(filter.value, page.value)}`)
