/** An item in a table: thumbnail, name and path. */
import type { Item } from '../../../schema/api/items.ts'
import { TablePicture } from '../../items/pictures/table-picture.tsx'

export function ItemCell({ item }: { item: Item }) {
  return (
    <span className="flex items-center gap-3 min-w-0">
      <TablePicture item={item} />
      <span className="min-w-0">
        <span className="block truncate font-semibold" title={item.name}>
          <bdi>{item.name}</bdi>
        </span>
        {item.path !== item.name && (
          <span className="block text-xs soft truncate-front" title={item.path}>
            <bdi>{item.path}</bdi>
          </span>
        )}
      </span>
    </span>
  )
}
