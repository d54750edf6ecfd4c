/** A large picture beside a list: that of the item under the pointer; an icon if there is none. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff, Images } from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { pictureOf } from '../../api.ts'
import { useBroken } from '../../app/loading/use-broken.ts'
import { baseTexts } from '../../texts/base.ts'
import { serverMessage } from '../../texts/language/server-message.ts'

export function ItemPreview({ item }: { item: Item | null }) {
  useSignals()
  const address = item === null ? '' : pictureOf(item, 'medium')
  const { broken, onError } = useBroken(address)
  if (item === null) {
    return (
      <div className="item-preview soft">
        <Images size={40} strokeWidth={1.25} aria-hidden="true" />
      </div>
    )
  }
  return (
    <div className="item-preview" data-theme="keepsake-dark">
      {item.problem !== null || broken ? (
        <p className="grid justify-items-center gap-3 text-white/80 text-center px-4">
          <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
          {item.problem === null ? baseTexts.pictureCouldNotBeLoaded : serverMessage(item.problem)}
        </p>
      ) : (
        <img src={address} alt={baseTexts.previewOf({ name: item.name })} draggable={false} onError={onError} />
      )}
    </div>
  )
}
