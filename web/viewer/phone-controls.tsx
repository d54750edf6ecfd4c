/** The viewer's buttons on a phone: the actions in a row at the bottom, where the thumb is. */
import { ArrowLeft, Download, Ellipsis, ExternalLink, Info, Pencil, ScanFace, Share2, Trash2 } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { originalOf } from '../api.ts'
import { captionOf } from '../items/item-text.ts'
import { openItemMenu } from '../items/selection/item-menu-state.ts'
import { longDate } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { selectionTexts } from '../texts/selection.ts'
import { viewerTexts } from '../texts/viewer.ts'
import {
  type ControlsProps,
  Heart,
  LiveMark,
  openEditor,
  openShare,
  Position,
  rectOf,
  ViewerButton,
  viewerEntries,
} from './controls.tsx'
import { Stars } from './details.tsx'
import { SharedBy } from './share-words.tsx'

export function PhoneTop(props: ControlsProps) {
  return (
    <header className="viewer-top viewer-control">
      <ViewerButton label={baseTexts.close} act={props.close}>
        <ArrowLeft size={22} />
      </ViewerButton>
      <Position index={props.index} total={props.total} />
      <div className="flex justify-end">
        {props.item?.live === true && <LiveMark {...props} />}
        {props.hasRegions && (
          <ViewerButton label={baseTexts.peopleAndObjects} on={props.regions} act={props.toggleRegions}>
            <ScanFace size={22} />
          </ViewerButton>
        )}
      </div>
    </header>
  )
}

function Action({
  icon: Icon,
  text,
  act,
  ...button
}: ComponentProps<'button'> & { icon: typeof Info; text: string; act: (event: MouseEvent) => void }) {
  return (
    <button type="button" onClick={act} {...button}>
      <Icon size={22} aria-hidden="true" />
      {text}
    </button>
  )
}

/** A shared link has neither details nor a menu: its actions are about the file. */
function FileActions({ item }: { item: Item }) {
  return (
    <>
      <a href={originalOf(item)} target="_blank" rel="noreferrer">
        <ExternalLink size={22} aria-hidden="true" />
        {viewerTexts.original}
      </a>
      <a href={originalOf(item)} download={item.name}>
        <Download size={22} aria-hidden="true" />
        {baseTexts.download}
      </a>
    </>
  )
}

function ItemActions(props: ControlsProps & { item: Item }) {
  const { item, mayUpdate } = props
  return (
    <>
      {props.mayShare && (
        <Action icon={Share2} text={selectionTexts.share} act={event => openShare(item, event)} aria-haspopup="menu" />
      )}
      <Heart item={item} phone />
      <Action icon={Info} text={baseTexts.details} act={props.toggleDetails} />
      {mayUpdate && <Action icon={Pencil} text={viewerTexts.edit} act={() => openEditor(item)} />}
      {mayUpdate && <Action icon={Trash2} text={baseTexts.delete} act={props.remove} />}
      <Action
        icon={Ellipsis}
        text={baseTexts.more}
        act={({ currentTarget }) => openItemMenu(item, rectOf(currentTarget), viewerEntries(props))}
        aria-haspopup="menu"
        data-menu
      />
    </>
  )
}

export function PhoneFoot(props: ControlsProps & { item: Item }) {
  const { item } = props
  const place = item.tags.Locations?.data.placeName ?? ''
  const line = [place, captionOf(item)].filter(part => part !== '').join(' · ')
  return (
    <footer className="viewer-foot viewer-control">
      <div className="flex items-center gap-3">
        <p className="date-head font-semibold truncate grow">{longDate(item.taken)}</p>
        {item.rating !== null && item.rating > 0 && <Stars rating={item.rating} size={16} />}
      </div>
      {props.isShared ? (
        <p className="text-xs">
          <SharedBy />
        </p>
      ) : (
        <p className="text-xs soft truncate h-4" dir="auto">
          {line}
        </p>
      )}
      <nav aria-label={baseTexts.actions} className="viewer-actions">
        {props.isShared ? <FileActions item={item} /> : <ItemActions {...props} />}
      </nav>
    </footer>
  )
}
