/** Shown for a picture or film that cannot be displayed: its name, the reason, and a download. */
import { ImageOff, VideoOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { originalOf } from '../api.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import { viewerTexts } from '../texts/viewer.ts'

export function CannotShow({ item, reason, children }: { item: Item; reason: string; children?: ReactNode }) {
  const Icon = item.type === 'video' ? VideoOff : ImageOff
  return (
    <div className="viewer-fault">
      <Icon size={40} strokeWidth={1.25} aria-hidden="true" />
      <div className="grid gap-1">
        <p className="font-semibold [overflow-wrap:anywhere]" dir="auto">
          {item.name}
        </p>
        <p role="alert" dir="auto">
          {serverMessage(reason)}
        </p>
      </div>
      {children}
      <a className="btn btn-quiet" href={originalOf(item)} download={item.name}>
        {viewerTexts.downloadOriginal}
      </a>
    </div>
  )
}
