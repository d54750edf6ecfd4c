/** The camera and the files of the open picture, without the path on the server. */
import { useSignals } from '@preact/signals-react/runtime'
import { Camera, File, FileVideo, Image } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ItemDetails } from '../../schema/api/items.ts'
import { sizeText } from '../../schema/figures.ts'
import { collections } from '../app/collections.ts'
import { emptyFilter, type Filter, writeFilter } from '../app/filter.ts'
import { cameraLines, fileLine, foldersOf } from '../items/item-text.ts'
import { viewerTexts } from '../texts/viewer.ts'

function Line({ icon: Icon, title, children }: { icon: typeof File; title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <Icon size={18} className="soft shrink-0 mt-px" aria-hidden="true" />
      <div className="min-w-0">
        <p className="break-words">
          <bdi>{title}</bdi>
        </p>
        <div className="text-xs soft break-words">{children}</div>
      </div>
    </div>
  )
}

const roleNames: Readonly<Record<string, string>> = {
  companion: viewerTexts.companionFile,
  motion: viewerTexts.motionFile,
  sidecar: viewerTexts.sidecarFile,
}

/** The filter for a folder of a collection and those below it; for the whole collection without a path. */
function folderFilter(collection: number, path: readonly string[]): Filter {
  const q = path.length === 0 ? '' : `folder:="${path.join('/').replaceAll('"', '""')}"`
  return { ...emptyFilter, collection, q }
}

export function Files({ item }: { item: ItemDetails }) {
  useSignals()
  const { name, settings, lens } = cameraLines(item)
  const folders = foldersOf(item, collections.value?.find(({ id }) => id === item.collection_id)?.path)
  return (
    <div className="grid gap-4 border-t hair pt-5">
      {(name !== '' || settings !== '') && (
        <Line icon={Camera} title={name === '' ? settings : name}>
          {name !== '' && settings !== '' && (
            <p>
              <bdi dir="ltr">{settings}</bdi>
            </p>
          )}
          {lens !== '' && (
            <p>
              <bdi>{lens}</bdi>
            </p>
          )}
        </Line>
      )}
      <Line icon={item.type === 'video' ? FileVideo : Image} title={item.name}>
        <p>{fileLine(item)}</p>
        <p>
          {[item.collection, ...folders].map((name, depth) => (
            <Fragment key={folders.slice(0, depth).join('/')}>
              {depth > 0 && ' / '}
              <Link
                className="details-link"
                href={`/${writeFilter(folderFilter(item.collection_id, folders.slice(0, depth)))}`}
                dir="auto"
              >
                {name}
              </Link>
            </Fragment>
          ))}
        </p>
      </Line>
      {item.files.map(file => (
        <Line key={file.name} icon={File} title={file.name}>
          <p>
            <bdi>{roleNames[file.role] ?? file.role}</bdi> · <bdi>{sizeText(file.size)}</bdi>
          </p>
        </Line>
      ))}
    </div>
  )
}
