/** The table of recycled or missing items: their collection, and actions that remove one or all for good. */
import { useSignals } from '@preact/signals-react/runtime'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { ownCollections } from '../../app/collections.ts'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { type Column, DataTable, type DataTableProps } from '../../kit/table/data-table.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { managementTexts } from '../../texts/admin/management.ts'
import { baseTexts } from '../../texts/base.ts'
import { CollectionChoice } from '../one-collection.tsx'
import { ItemCell } from './item-cell.tsx'
import type { useGoneItems } from './use-gone.ts'

interface Removal {
  icon: LucideIcon
  text: string
  hint: ReactNode
  act: () => Promise<boolean>
}

export interface GoneTableProps extends Pick<DataTableProps<Item>, 'caption' | 'empty' | 'actionsWidth'> {
  /** The present page, from `useGoneItems`. */
  gone: ReturnType<typeof useGoneItems>
  summary: ReactNode
  columns: readonly Column<Item>[]
  /** Null if removing all is not offered. */
  removeAll: (Removal & { disabled?: boolean }) | null
  /** Returns null for items that this user may not remove. */
  removeOne: (item: Item) => (Removal & { name: string }) | null
  actions?: (item: Item) => ReactNode
  /** Content between the toolbar and the table. */
  children?: ReactNode
}

export function GoneTable({
  gone,
  summary,
  columns,
  removeAll,
  removeOne,
  actions,
  children,
  ...table
}: GoneTableProps) {
  useSignals()
  const [pending, setPending] = useState<Item | 'all' | null>(null)
  const total = gone.shown?.total ?? 0
  const close = () => setPending(null)
  const removal = pending === null || pending === 'all' ? null : removeOne(pending)
  return (
    <>
      <div className="table-tools">
        <p className="soft">{total > 0 && summary}</p>
        <CollectionChoice
          of={ownCollections.value.filter(({ rights }) => rights.update)}
          value={gone.collection}
          onChange={gone.chooseCollection}
        />
        {removeAll !== null && total > 0 && (
          <button
            type="button"
            className="btn btn-ghost btn-sm text-error"
            disabled={removeAll.disabled === true}
            onClick={() => setPending('all')}
          >
            <removeAll.icon size={18} aria-hidden="true" />
            {removeAll.text}
          </button>
        )}
      </div>
      {children}
      <DataTable
        columns={[
          { name: 'name', head: baseTexts.name, cell: item => <ItemCell item={item} /> },
          {
            name: 'collection',
            head: baseTexts.collection,
            width: 176,
            drops: 1,
            cell: item => (
              <span className="block truncate soft" dir="auto" title={gone.nameOf(item.collection_id)}>
                {gone.nameOf(item.collection_id)}
              </span>
            ),
          },
          ...columns,
        ]}
        rows={gone.shown?.items ?? []}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={item => {
          const one = removeOne(item)
          return (
            <>
              {actions?.(item)}
              {one !== null && (
                <RowAction icon={one.icon} text={one.text} of={item.name} onClick={() => setPending(item)} />
              )}
            </>
          )
        }}
        loading={gone.loading}
        {...(gone.failed ? { onRetry: gone.retry } : {})}
        paging={gone.paging}
        {...table}
      />
      {pending === 'all' && removeAll !== null && (
        <Confirm title={removeAll.text} action={removeAll.text} onClose={close} onConfirm={removeAll.act}>
          <p>{managementTexts.deleteAllQuestion({ count: total })}</p>
          <p className="soft text-xs mt-1">{removeAll.hint}</p>
        </Confirm>
      )}
      {pending !== null && pending !== 'all' && removal !== null && (
        <Confirm title={removal.text} action={removal.text} onClose={close} onConfirm={removal.act}>
          <p>{baseTexts.deleteQuestion}</p>
          <p className="soft truncate" dir="auto" title={removal.name}>
            {pending.name}
          </p>
          <p className="soft text-xs mt-1">{removal.hint}</p>
        </Confirm>
      )}
    </>
  )
}
