/** The viewer's buttons in a row above the picture, and what the buttons of a phone share with them. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  ArrowLeft,
  CircleDotDashed,
  Download,
  EllipsisVertical,
  ExternalLink,
  PanelRight,
  Pencil,
  RotateCcw,
  RotateCw,
  ScanFace,
  Share2,
  Trash2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { originalOf } from '../api.ts'
import { go } from '../app/address.ts'
import { addressOfEditor } from '../app/current-filter.ts'
import { favouritesPart } from '../items/favourites/part.ts'
import { openItemMenu, shownMenu } from '../items/selection/item-menu-state.ts'
import type { MenuEntry } from '../kit/layers/menu.tsx'
import { saveAs } from '../kit/save-as.ts'
import { baseTexts } from '../texts/base.ts'
import { selectionTexts } from '../texts/selection.ts'
import { viewerTexts } from '../texts/viewer.ts'

export interface ControlsProps {
  item: Item | null
  /** True if opened by a share link, which has no details. */
  isShared: boolean
  /** Whether the user may change the item; if not, rotating changes only the view. */
  mayUpdate: boolean
  mayShare: boolean
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
  stopMotion: () => void
  remove: () => void
}

export const rectOf = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}

export function openShare(item: Item, { currentTarget }: MouseEvent): void {
  shownMenu.value = { kind: 'share', item, at: rectOf(currentTarget) }
}

export const openEditor = ({ id }: Item) => go(addressOfEditor([id]))

/** Menu entries that only the viewer has, including those for buttons without space. */
export function viewerEntries({ item, hasRegions, turn, toggleRegions, mayUpdate }: ControlsProps): MenuEntry[] {
  if (item === null) return []
  const entries: (MenuEntry | false)[] = [
    canZoom(item) && {
      text: mayUpdate ? baseTexts.rotateLeft : viewerTexts.rotateTheViewLeft,
      icon: RotateCcw,
      act: () => turn(-90),
    },
    canZoom(item) && {
      text: mayUpdate ? baseTexts.rotateRight : viewerTexts.rotateTheViewRight,
      icon: RotateCw,
      act: () => turn(90),
    },
    hasRegions && { text: baseTexts.peopleAndObjects, icon: ScanFace, act: toggleRegions },
    { text: baseTexts.download, icon: Download, act: () => saveAs(originalOf(item), item.name) },
  ]
  return entries.filter(entry => entry !== false)
}

/** Whether the item is a picture that can be shown, and so zoomed and rotated. */
const canZoom = ({ type, problem }: Item) => type === 'image' && problem === null

export function ViewerButton({
  label,
  on,
  act,
  className = '',
  children,
}: {
  label: string
  on?: boolean
  act: (event: MouseEvent) => void
  className?: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={`viewer-button ${className}`}
      aria-label={label}
      title={label}
      aria-pressed={on}
      onClick={act}
    >
      {children}
    </button>
  )
}

/** If the mark is pressed longer than this, the photo plays only until the release. */
const longPressMs = 300

/** The mark of a live photo: plays it while it is pressed or, after a click, to its end. */
export function LiveMark({ motion, playMotion, stopMotion }: ControlsProps) {
  const pressedAt = useRef<number | null>(null)
  const release = () => {
    if (pressedAt.current !== null && performance.now() - pressedAt.current > longPressMs) stopMotion()
    pressedAt.current = null
  }
  return (
    <button
      type="button"
      className="viewer-button"
      aria-label={viewerTexts.playTheLivePhoto}
      title={viewerTexts.playTheLivePhoto}
      aria-pressed={motion}
      onPointerDown={event => {
        if (event.button !== 0) return
        pressedAt.current = performance.now()
        playMotion()
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      // A click by key has the detail 0.
      onClick={event => event.detail === 0 && playMotion()}
      onContextMenu={event => event.preventDefault()}
    >
      <CircleDotDashed size={20} />
    </button>
  )
}

export function Heart(props: { item: Item; phone: boolean }) {
  useSignals()
  const part = favouritesPart.value
  return part === null ? null : <part.ViewerHeart {...props} />
}

export function Position({ index, total }: { index: number | null; total: number | null }) {
  if (index === null || total === null) return null
  return <p className="viewer-position">{baseTexts.doneOfTotal({ done: index + 1, total })}</p>
}

/** Rotates the picture for everybody or, for users who may not change it, the view. */
function RotateButtons({ mayUpdate, turn, className }: ControlsProps & { className: string }) {
  return (
    <>
      <ViewerButton
        label={mayUpdate ? baseTexts.rotateLeft : viewerTexts.rotateTheViewLeft}
        act={() => turn(-90)}
        className={className}
      >
        <RotateCcw size={20} />
      </ViewerButton>
      <ViewerButton
        label={mayUpdate ? baseTexts.rotateRight : viewerTexts.rotateTheViewRight}
        act={() => turn(90)}
        className={className}
      >
        <RotateCw size={20} />
      </ViewerButton>
    </>
  )
}

function FileLink({ item, download, className = '' }: { item: Item; download: boolean; className?: string }) {
  const label = download ? baseTexts.download : baseTexts.openOriginal
  return (
    <a
      className={`viewer-button ${className}`}
      href={originalOf(item)}
      {...(download ? { download: item.name } : { target: '_blank', rel: 'noreferrer' })}
      aria-label={label}
      title={label}
    >
      {download ? <Download size={20} /> : <ExternalLink size={20} />}
    </a>
  )
}

function Tools(props: ControlsProps & { item: Item }) {
  const { item, isShared, mayUpdate } = props
  // Narrow screens hide these buttons, because the menu has them, too. A shared link has no menu.
  const spareClass = isShared ? '' : 'viewer-spare'
  return (
    <div className="ms-auto flex items-center gap-0.5">
      {item.live && <LiveMark {...props} />}
      {canZoom(item) && (
        <>
          <ViewerButton
            label={props.zoomed ? baseTexts.zoomOut : baseTexts.zoomIn}
            act={props.zoom}
            className={spareClass}
          >
            {props.zoomed ? <ZoomOut size={20} /> : <ZoomIn size={20} />}
          </ViewerButton>
          <RotateButtons {...props} className={spareClass} />
        </>
      )}
      {!isShared && <Heart item={item} phone={false} />}
      {props.mayShare && (
        <ViewerButton label={selectionTexts.share} act={event => openShare(item, event)}>
          <Share2 size={20} />
        </ViewerButton>
      )}
      {isShared && <FileLink item={item} download={false} />}
      <FileLink item={item} download className={spareClass} />
      {mayUpdate && (
        <>
          <ViewerButton label={baseTexts.editMetadata} act={() => openEditor(item)}>
            <Pencil size={20} />
          </ViewerButton>
          <ViewerButton label={baseTexts.delete} act={props.remove}>
            <Trash2 size={20} />
          </ViewerButton>
        </>
      )}
      {props.hasRegions && (
        <ViewerButton
          label={baseTexts.peopleAndObjects}
          on={props.regions}
          act={props.toggleRegions}
          className="viewer-spare-late"
        >
          <ScanFace size={20} />
        </ViewerButton>
      )}
      {!isShared && (
        <>
          <button
            type="button"
            className="viewer-button"
            aria-label={baseTexts.actions}
            aria-haspopup="menu"
            title={baseTexts.actions}
            data-menu
            onClick={({ currentTarget }) => openItemMenu(item, rectOf(currentTarget), viewerEntries(props))}
          >
            <EllipsisVertical size={20} />
          </button>
          <ViewerButton label={baseTexts.details} on={props.details} act={props.toggleDetails}>
            <PanelRight size={20} />
          </ViewerButton>
        </>
      )}
    </div>
  )
}

export function TopBar(props: ControlsProps) {
  const { item } = props
  return (
    <header className="viewer-top viewer-control">
      <ViewerButton label={baseTexts.close} act={props.close}>
        <ArrowLeft size={20} />
      </ViewerButton>
      <Position index={props.index} total={props.total} />
      {item !== null && <Tools {...props} item={item} />}
    </header>
  )
}
