/** An item in a table: small picture, name, where it lies. */
import { Film, ImageOff } from 'lucide-react'
import { useState } from 'react'
import type { Item } from '../../../../schema/api/items.ts'
import { pictureOf } from '../../../api.ts'

export function GoneName({ item }: { item: Item }) {
  const [broken, setBroken] = useState(item.problem !== null)
  return (
    <span className="flex items-center gap-3 min-w-0">
      {broken ? (
        <span className="table-picture grid place-items-center soft">
          {item.type === 'video' ? <Film size={18} /> : <ImageOff size={18} />}
        </span>
      ) : (
        <img
          className="table-picture"
          src={pictureOf(item, 'tiny')}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
        />
      )}
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
