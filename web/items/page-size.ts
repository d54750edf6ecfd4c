/** Changes the gallery's page size. */
import { address } from '../app/address.ts'
import { page, setPage } from '../app/current-filter.ts'
import { pageSize, setOptions } from '../app/options.ts'
import { pageForNewSize } from '../kit/table/pages.ts'
import { paged } from './items.ts'

/** Sets the page size, and shows the page with the first item of the page that was shown. */
export function choosePageSize(size: number): void {
  if (size === pageSize.peek()) return
  const number = pageForNewSize(page.peek(), pageSize.peek(), size)
  setOptions({ pageSize: size })
  if (paged.peek() && address.peek().path === '/') setPage(number, true)
}
