/** The first of the items that are changed, as a strip of small pictures. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Item } from '../../../schema/api/items.ts'
import { figure } from '../../../schema/figures.ts'
import { TablePicture } from '../../items/pictures/table-picture.tsx'
import { narrow } from '../../kit/viewport.ts'

export function Strip({ items }: { items: readonly Item[] }) {
  useSignals()
  const most = narrow.value ? 6 : 12
  const more = items.length - most
  return (
    <div className="many-strip" aria-hidden="true">
      {items.slice(0, most).map(item => (
        <TablePicture key={item.id} item={item} size="small" className="many-picture" />
      ))}
      {more > 0 && <span className="soft text-xs">+ {figure(more)}</span>}
    </div>
  )
}
