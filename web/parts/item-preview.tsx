/** The picture of the row that is pointed at, large. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff, Images } from 'lucide-react'
import { useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'

export function ItemPreview({ item }: { item: Item | null }) {
  useSignals()
  const [broken, setBroken] = useState<string | null>(null)
  if (item === null) {
    return (
      <div className="item-preview soft">
        <Images size={40} strokeWidth={1.25} aria-hidden="true" />
      </div>
    )
  }
  const address = pictureOf(item, 'medium')
  return (
    <div className="item-preview" data-theme="keepsake-dark">
      {item.problem !== null || broken === address ? (
        <p className="grid justify-items-center gap-3 text-white/80 text-center px-4">
          <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
          {item.problem ?? 'The picture could not be loaded'}
        </p>
      ) : (
        <img src={address} alt={`Preview of ${item.name}`} draggable={false} onError={() => setBroken(address)} />
      )}
    </div>
  )
}
