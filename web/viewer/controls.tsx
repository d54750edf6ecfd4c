/** The viewer's buttons: a row above the picture, or on a phone a row at the bottom. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  ArrowLeft,
  CircleDotDashed,
  Download,
  EllipsisVertical,
  ExternalLink,
  Info,
  PanelRight,
  RotateCcw,
  RotateCw,
  ScanFace,
  Trash2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { originalOf } from '../api.ts'
import { favouritesPart } from '../items/favourites/part.ts'
import { captionOf } from '../items/item-text.ts'
import { openItemMenu } from '../items/selection/item-menu-state.ts'
import { longDate } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { Stars } from './details.tsx'

export interface ControlsProps {
  item: Item | null
  /** True if opened by a share link, which has no details. */
  isShared: boolean
  /** Whether the user may change the item; if not, rotating changes only the view. */
  mayUpdate: boolean
  index: number | null
  total: number | null
  zoomed: boolean
  details: boolean
  regions: boolean
  hasRegions: boolean
  motion: boolean
  close: () => void
  zoom: () => void
  turn: (by: 90 | -90) => void
  toggleDetails: () => void
  toggleRegions: () => void
  playMotion: () => void
  remove: () => void
}

function Button({ label, on, act, children }: { label: string; on?: boolean; act: () => void; children: ReactNode }) {
  return (
    <button type="button" className="viewer-button" aria-label={label} title={label} aria-pressed={on} onClick={act}>
      {children}
    </button>
  )
}

function Heart(props: { item: Item; phone: boolean }) {
  useSignals()
  const part = favouritesPart.value
  return part === null ? null : <part.ViewerHeart {...props} />
}

function MenuButton({ item }: { item: Item }) {
  return (
    <button
      type="button"
      className="viewer-button"
      aria-label={baseTexts.actions}
      aria-haspopup="menu"
      title={baseTexts.actions}
      data-menu
      onClick={event => {
        const { x, y, width, height } = event.currentTarget.getBoundingClientRect()
        openItemMenu(item, { x, y, width, height })
      }}
    >
      <EllipsisVertical size={20} />
    </button>
  )
}

function Position({ index, total }: { index: number | null; total: number | null }) {
  if (index === null || total === null) return null
  return <p className="viewer-position">{baseTexts.doneOfTotal({ done: index + 1, total })}</p>
}

export function TopBar(props: ControlsProps) {
  const { item } = props
  const zooms = item !== null && item.type === 'image' && item.problem === null
  return (
    <header className="viewer-top viewer-control">
      <Button label={baseTexts.close} act={props.close}>
        <ArrowLeft size={20} />
      </Button>
      <Position index={props.index} total={props.total} />
      {item !== null && (
        <div className="ms-auto flex items-center gap-0.5">
          {item.live && (
            <Button label={viewerTexts.playTheLivePhoto} on={props.motion} act={props.playMotion}>
              <CircleDotDashed size={20} />
            </Button>
          )}
          {zooms && (
            <>
              <Button label={props.zoomed ? baseTexts.zoomOut : baseTexts.zoomIn} act={props.zoom}>
                {props.zoomed ? <ZoomOut size={20} /> : <ZoomIn size={20} />}
              </Button>
              <Button
                label={props.mayUpdate ? baseTexts.rotateLeft : viewerTexts.rotateTheViewLeft}
                act={() => props.turn(-90)}
              >
                <RotateCcw size={20} />
              </Button>
              <Button
                label={props.mayUpdate ? baseTexts.rotateRight : viewerTexts.rotateTheViewRight}
                act={() => props.turn(90)}
              >
                <RotateCw size={20} />
              </Button>
            </>
          )}
          {!props.isShared && <Heart item={item} phone={false} />}
          <a
            className="viewer-button"
            href={originalOf(item)}
            target="_blank"
            rel="noreferrer"
            aria-label={baseTexts.openOriginal}
            title={baseTexts.openOriginal}
          >
            <ExternalLink size={20} />
          </a>
          <a
            className="viewer-button"
            href={originalOf(item)}
            download={item.name}
            aria-label={baseTexts.download}
            title={baseTexts.download}
          >
            <Download size={20} />
          </a>
          {props.hasRegions && (
            <Button label={baseTexts.peopleAndObjects} on={props.regions} act={props.toggleRegions}>
              <ScanFace size={20} />
            </Button>
          )}
          {props.mayUpdate && (
            <Button label={baseTexts.delete} act={props.remove}>
              <Trash2 size={20} />
            </Button>
          )}
          {!props.isShared && (
            <>
              <MenuButton item={item} />
              <Button label={baseTexts.details} on={props.details} act={props.toggleDetails}>
                <PanelRight size={20} />
              </Button>
            </>
          )}
        </div>
      )}
    </header>
  )
}

function PhoneAction({
  icon: Icon,
  text,
  act,
  href,
  download,
}: {
  icon: typeof Info
  text: string
  act?: () => void
  href?: string
  download?: string
}) {
  const inside = (
    <>
      <Icon size={22} aria-hidden="true" />
      {text}
    </>
  )
  if (href === undefined) {
    return (
      <button type="button" onClick={act}>
        {inside}
      </button>
    )
  }
  return (
    <a href={href} download={download} target={download === undefined ? '_blank' : undefined} rel="noreferrer">
      {inside}
    </a>
  )
}

export function PhoneTop({ close, index, total, item, isShared }: ControlsProps) {
  return (
    <header className="viewer-top viewer-control">
      <Button label={baseTexts.close} act={close}>
        <ArrowLeft size={22} />
      </Button>
      <Position index={index} total={total} />
      {item !== null && !isShared ? <MenuButton item={item} /> : <span className="w-11" />}
    </header>
  )
}

export function PhoneFoot(props: ControlsProps & { item: Item }) {
  const { item } = props
  const place = item.tags.Locations?.data.placeName ?? ''
  const line = [place, captionOf(item)].filter(part => part !== '').join(' · ')
  return (
    <footer className="viewer-foot viewer-control">
      <div className="flex items-center gap-3">
        <p className="font-semibold truncate grow">{longDate(item.taken)}</p>
        {item.rating !== null && item.rating > 0 && <Stars rating={item.rating} size={16} />}
      </div>
      <p className="text-xs text-left soft truncate h-4" dir="auto">
        {line}
      </p>
      <nav aria-label={baseTexts.actions} className="viewer-actions">
        {!props.isShared && <PhoneAction icon={Info} text={baseTexts.details} act={props.toggleDetails} />}
        {!props.isShared && <Heart item={item} phone />}
        {item.live && <PhoneAction icon={CircleDotDashed} text={viewerTexts.live} act={props.playMotion} />}
        {item.type === 'image' && <PhoneAction icon={RotateCw} text={baseTexts.rotate} act={() => props.turn(90)} />}
        {props.hasRegions && <PhoneAction icon={ScanFace} text={baseTexts.people} act={props.toggleRegions} />}
        <PhoneAction icon={ExternalLink} text={viewerTexts.original} href={originalOf(item)} />
        <PhoneAction icon={Download} text={baseTexts.download} href={originalOf(item)} download={item.name} />
        {props.mayUpdate && <PhoneAction icon={Trash2} text={baseTexts.delete} act={props.remove} />}
      </nav>
    </footer>
  )
}
