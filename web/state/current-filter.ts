/** The filter that is on, read from the address, and the changes that go back into it. */
import { computed } from '@preact/signals-react'
import { address, go } from './address.ts'
import { emptyFilter, type Filter, isEmpty, readFilter, readPage, writeFilter } from './filter.ts'

const search = computed(() => address.value.search)

export const filter = computed(() => readFilter(search.value))
export const page = computed(() => readPage(search.value))
export const filtered = computed(() => !isEmpty(filter.value))

/** Shows what another filter leaves, from its first page, on Home. */
export function setFilter(change: Partial<Filter>): void {
  go(`/${writeFilter({ ...filter.value, ...change })}`)
}

export function clearFilter(): void {
  setFilter(emptyFilter)
}

export function setPage(number: number, replace = false): void {
  go(`/${writeFilter(filter.value, number)}`, { replace })
}

/** Home, with the filter as it is. */
export const homeAddress = computed(() => `/${writeFilter(filter.value, page.value)}`)
