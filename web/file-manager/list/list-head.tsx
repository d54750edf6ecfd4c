/** The heads of the list's columns: pressing one sorts ascending, then descending, then not at all. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useController } from '../controller-context.ts'
import type { SortColumn } from './sorting.ts'

const columns = [
  { column: 'basename', key: 'name', name: 'fm-row-name' },
  { column: 'file_size', key: 'size', name: 'fm-row-size' },
  { column: 'last_modified', key: 'date', name: 'fm-row-date' },
] as const satisfies readonly { column: SortColumn; key: 'name' | 'size' | 'date'; name: string }[]

export function ListHead() {
  useSignals()
  const { t, sorting, sortBy, driver } = useController()
  const now = sorting.value
  return (
    <div className="fm-head">
      {columns.slice(0, driver.onlyFolders ? 1 : columns.length).map(({ column, key, name }) => {
        const order = now?.column === column ? now.order : null
        const Icon = order === 'desc' ? ArrowDown : ArrowUp
        const orderText = order === null ? '' : `, ${order === 'asc' ? t('sortedAscending') : t('sortedDescending')}`
        return (
          <span key={column} className={name}>
            <button
              type="button"
              aria-label={`${t(key)}${orderText}`}
              data-order={order}
              onClick={() => sortBy(column)}
            >
              <span>{t(key)}</span>
              {order !== null && <Icon size={14} aria-hidden="true" />}
            </button>
          </span>
        )
      })}
    </div>
  )
}
