/** A small picture of an item for a list, or an icon if there is none. */
import { Film, ImageOff } from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { pictureOf } from '../../api.ts'
import { useBroken } from '../../app/loading/use-broken.ts'

interface TablePictureProps {
  item: Parameters<typeof pictureOf>[0] & Partial<Pick<Item, 'type' | 'problem'>>
  size?: 'tiny' | 'small'
  className?: string
}

export function TablePicture({ item, size = 'tiny', className = 'table-picture' }: TablePictureProps) {
  const source = pictureOf(item, size)
  const { broken, onError } = useBroken(source)
  if (broken || (item.problem ?? null) !== null) {
    const Icon = item.type === 'video' ? Film : ImageOff
    return (
      <span className={`${className} grid place-items-center soft`}>
        <Icon size={18} />
      </span>
    )
  }
  return <img className={className} src={source} alt="" loading="lazy" draggable={false} onError={onError} />
}
