/** The filter that is on, read from the address, and the changes that go back into it. */
import { computed } from '@preact/signals-react'
import { address, go } from './address.ts'
import { emptyFilter, type Filter, isEmpty, queryOf, readFilter, readPage, writeFilter } from './filter.ts'
import { includeHidden } from './hidden.ts'
import { searchTags } from './options.ts'

const search = computed(() => address.value.search)

export const filter = computed(() => readFilter(search.value))
export const page = computed(() => readPage(search.value))
export const filtered = computed(() => !isEmpty(filter.value))

/** Screens that show what the filter leaves; from anywhere else a filter leads Home. */
const filteredScreens = ['/world-map', '/on-this-day']
/** Tables of items; other tabs of the same screens have nothing to filter. */
const filteredTables = ['/admin/transfer', '/admin/tagging', '/admin/tagging/replace']
const screen = computed(() => {
  const { path } = address.value
  if (filteredTables.includes(path)) return path
  return filteredScreens.find(start => path.startsWith(start)) ?? '/'
})

/** Address of a screen from the menu: those that show what a filter leaves keep it. */
export function addressOfScreen(path: string): string {
  if (path === '/') return homeAddress.value
  const isFiltered = filteredScreens.includes(path) || filteredTables.includes(path)
  return isFiltered ? path + writeFilter(filter.value) : path
}

/** The present screen shows what the filter leaves, besides Home. */
export const filtersHere = computed(() => screen.value !== '/')

/** Shows what another filter leaves, from its first page. */
export function setFilter(change: Partial<Filter>): void {
  go(screen.value + writeFilter({ ...filter.value, ...change }))
}

/** Parameters of the present filter, as every filtered call takes them; hidden items are asked for while they are shown. */
export const filterQuery = computed(() => queryOf(filter.value, searchTags.value, includeHidden.value))

export function clearFilter(): void {
  setFilter(emptyFilter)
}

export function setPage(number: number, replace = false): void {
  go(screen.value + writeFilter(filter.value, number), { replace })
}

/** Home, with the filter as it is. */
export const homeAddress = computed(() => `/${writeFilter(filter.value, page.value)}`)
