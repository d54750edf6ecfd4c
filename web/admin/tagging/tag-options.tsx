/** Tag Options: every keyword, its number of items, and whether it is hidden. */

import { useSignals } from '@preact/signals-react/runtime'
import { Merge, PencilLine, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Keystring } from '../../../schema/api/keystrings.ts'
import { figure } from '../../../schema/figures.ts'
import { compareNames } from '../../../schema/locale.ts'
import { includeHidden } from '../../app/hidden.ts'
import { versionOf } from '../../app/loading/stale.ts'
import { globalAdmin } from '../../app/session.ts'
import { Toggle } from '../../kit/switch.tsx'
import { type Column, DataTable } from '../../kit/table/data-table.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { MergeKeystring, RenameKeystring } from './keystring-dialogs.tsx'
import {
  foundKeystrings,
  keystringSearch,
  keystrings,
  keystringsDenied,
  keystringsFailed,
  keystringsLoading,
  loadKeystrings,
  saveKeystring,
} from './keystring-options.ts'

const pageSize = 50

function emptyText(): string {
  if (keystringsDenied.value) return taggingTexts.noRightToChange
  return keystringSearch.value === '' ? taggingTexts.noKeywordInUse : taggingTexts.noKeywordHasThisName
}

function HiddenToggle({
  of,
  flag,
  text,
}: {
  of: Keystring
  flag: 'isHidden' | 'isAssociatedItemsHidden'
  text: string
}) {
  useSignals()
  return (
    <label className="inline-flex items-center min-h-(--tap) cursor-pointer">
      <Toggle
        label={`${text} ${of.content}`}
        checked={of[flag]}
        disabled={!globalAdmin.value}
        title={globalAdmin.value ? undefined : taggingTexts.onlyGlobalAdminsHideKeywords}
        onChange={checked => void saveKeystring(of.id, { [flag]: checked })}
      />
    </label>
  )
}

const columns: readonly Column<Keystring>[] = [
  {
    name: 'content',
    head: taggingTexts.keyword,
    compare: (a, b) => compareNames(a.content, b.content),
    cell: ({ content }) => (
      <span className="block truncate font-semibold" dir="auto" title={content}>
        {content}
      </span>
    ),
  },
  {
    name: 'items',
    head: baseTexts.items,
    align: 'end',
    width: 96,
    drops: 1,
    compare: (a, b) => a.itemcount - b.itemcount,
    cell: ({ itemcount }) => figure(itemcount),
  },
  {
    name: 'hidden',
    head: adminTexts.hidden,
    width: 112,
    card: 'line',
    compare: (a, b) => Number(b.isHidden) - Number(a.isHidden),
    cell: of => <HiddenToggle of={of} flag="isHidden" text={taggingTexts.hide} />,
  },
  {
    name: 'items-hidden',
    head: taggingTexts.itsItemsHidden,
    width: 160,
    card: 'line',
    compare: (a, b) => Number(b.isAssociatedItemsHidden) - Number(a.isAssociatedItemsHidden),
    cell: of => <HiddenToggle of={of} flag="isAssociatedItemsHidden" text={taggingTexts.hideTheItemsOf} />,
  },
]

export function TagOptions() {
  useSignals()
  const [open, setOpen] = useState<{ what: 'rename' | 'merge'; id: number } | null>(null)
  const [version, hidden] = [versionOf('words'), includeHidden.value]
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when keywords change, or hidden ones are shown
  useEffect(() => void loadKeystrings(), [version, hidden])
  const known = keystrings.value
  const close = () => setOpen(null)
  // The keyword as it is now; undefined after another user has merged it, which closes its dialog.
  const of = known?.find(({ id }) => id === open?.id)
  return (
    <>
      <div className="table-tools">
        <p className="soft">{known === null ? '' : taggingTexts.hiddenKeywordsHint({ count: known.length })}</p>
        <label className="input tag-search">
          <Search size={16} className="soft shrink-0" aria-hidden="true" />
          <input
            type="search"
            aria-label={taggingTexts.findAKeyword}
            placeholder={taggingTexts.findAKeyword}
            value={keystringSearch.value}
            onChange={event => {
              keystringSearch.value = event.target.value
            }}
          />
        </label>
      </div>
      <DataTable
        caption={baseTexts.keywords}
        columns={columns}
        rows={foundKeystrings.value}
        keyOf={({ id }) => id}
        nameOf={({ content }) => content}
        actionsWidth={106}
        actions={of => (
          <>
            <RowAction
              icon={PencilLine}
              text={baseTexts.rename}
              of={of.content}
              onClick={() => setOpen({ what: 'rename', id: of.id })}
            />
            {globalAdmin.value && (
              <RowAction
                icon={Merge}
                text={adminTexts.merge}
                of={of.content}
                onClick={() => setOpen({ what: 'merge', id: of.id })}
              />
            )}
          </>
        )}
        empty={emptyText()}
        loading={keystringsLoading.value && known === null}
        pageSize={pageSize}
        {...(keystringsFailed.value && !keystringsDenied.value && known === null ? { onRetry: loadKeystrings } : {})}
      />
      {open?.what === 'rename' && of !== undefined && (
        <RenameKeystring of={of} onClose={close} onMerge={() => setOpen({ what: 'merge', id: of.id })} />
      )}
      {open?.what === 'merge' && of !== undefined && <MergeKeystring of={of} onClose={close} />}
    </>
  )
}
