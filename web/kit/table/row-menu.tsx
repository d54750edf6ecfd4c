/** The menu at the end of a table's row: the dropped columns, and further actions. */
import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { type Fact, Menu, type MenuEntry } from '../layers/menu.tsx'
import type { Rect } from '../layers/menu-place.ts'
import { RowAction } from './row-action.tsx'

/** `entries`: null if the row has no menu now; an open menu then keeps its entries. */
export function RowMenu({
  of,
  facts,
  entries,
}: {
  of: string
  facts: readonly Fact[]
  entries: readonly MenuEntry[] | null
}) {
  const [at, setAt] = useState<Rect | null>(null)
  const last = useRef(entries)
  if (entries !== null) last.current = entries
  return (
    <>
      {entries !== null && (entries.length > 0 || facts.length > 0) && (
        <RowAction
          icon={Ellipsis}
          text={baseTexts.more}
          of={of}
          label={baseTexts.actionsFor({ of })}
          expanded={at !== null}
          onClick={button => {
            const { x, y, width, height } = button.getBoundingClientRect()
            setAt({ x, y, width, height })
          }}
        />
      )}
      {at !== null && (
        <Menu label={of} at={at} facts={facts} entries={last.current ?? []} onClose={() => setAt(null)} />
      )}
    </>
  )
}
