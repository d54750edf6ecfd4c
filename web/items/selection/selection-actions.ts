/** Actions on the selection. Other parts of the page add actions with `addSelectionAction`. */
import { computed, signal } from '@preact/signals-react'
import {
  ArrowRightLeft,
  Calendar,
  CircleCheckBig,
  Clapperboard,
  Download,
  FileArchive,
  type LucideIcon,
  MapPin,
  Pencil,
  RotateCcw,
  RotateCw,
  Share2,
  Tag,
  Trash2,
} from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { originalOf } from '../../api.ts'
import { go } from '../../app/address.ts'
import { addressOfEditor, addressOfScreen } from '../../app/current-filter.ts'
import { dialog, openSlideshow } from '../../app/dialogs.ts'
import { mayUpdateAll } from '../../app/rights.ts'
import { signedIn } from '../../app/session.ts'
import type { Rect } from '../../kit/layers/menu-place.ts'
import { saveAs } from '../../kit/save-as.ts'
import { baseTexts } from '../../texts/base.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { downloadItems } from './download.ts'
import { shownMenu } from './item-menu-state.ts'
import { askDelete } from './recycling.ts'
import { rotateItems } from './rotate.ts'
import { selectCurrent, selected } from './selection.ts'
import { playSlideshow } from './slideshow.ts'

export interface SelectionAction {
  /** The button's text; identifies the action. */
  text: string
  /** A shorter text for a phone's bar. */
  short?: string
  icon: LucideIcon
  /** Position in the bar and in the menu, from the start. */
  order: number
  danger?: boolean
  /** Whether the bar shows it: 'always', or while there is room (the highest number is removed first); absent: never. */
  inBar?: 'always' | number
  /** Whether a phone's bar shows it. Its button 'More' lists all actions. */
  onPhoneBar?: boolean
  /** Whether the menu of a single item has it too. */
  inItemMenu?: boolean
  /** Whether the action is offered for these items. It is called again when signals that it reads change. */
  offered: (items: readonly Item[]) => boolean
  /** `at`: the rectangle of the pressed button, if there is one. */
  act: (items: readonly Item[], at?: Rect) => void
}

function openForMany(what: 'tag' | 'date' | 'place', items: readonly Item[]): void {
  dialog.value = { kind: 'many', what, items }
}

function download(items: readonly Item[]): void {
  const [only] = items
  if (only !== undefined && items.length === 1) saveAs(originalOf(only), only.name)
  else void downloadItems(items.map(({ id }) => id))
}

const actions = signal<readonly SelectionAction[]>([
  {
    text: selectionTexts.tag,
    icon: Tag,
    order: 10,
    inBar: 'always',
    onPhoneBar: true,
    offered: mayUpdateAll,
    act: items => openForMany('tag', items),
  },
  {
    text: selectionTexts.date,
    icon: Calendar,
    order: 11,
    inBar: 4,
    offered: mayUpdateAll,
    act: items => openForMany('date', items),
  },
  {
    text: selectionTexts.place,
    icon: MapPin,
    order: 12,
    inBar: 5,
    offered: mayUpdateAll,
    act: items => openForMany('place', items),
  },
  {
    text: selectionTexts.share,
    icon: Share2,
    order: 30,
    inBar: 2,
    onPhoneBar: true,
    offered: () => signedIn.value,
    act(items, at = { x: 0, y: 0, width: 0, height: 0 }) {
      const [item] = items
      if (item !== undefined && items.length === 1) shownMenu.value = { kind: 'share', item, at }
      else dialog.value = { kind: 'link', of: { items: items.map(({ id }) => id) }, title: '' }
    },
  },
  {
    text: selectionTexts.transfer,
    icon: ArrowRightLeft,
    order: 35,
    inBar: 8,
    offered: mayUpdateAll,
    act: () => go(addressOfScreen('/admin/transfer')),
  },
  {
    text: baseTexts.download,
    icon: Download,
    order: 40,
    inBar: 6,
    offered: items => items.length === 1 || signedIn.value,
    act: download,
  },
  {
    text: baseTexts.slideshow,
    icon: Clapperboard,
    order: 50,
    inBar: 7,
    offered: () => true,
    act: playSlideshow,
  },
  {
    text: baseTexts.downloadAsSlideshow,
    icon: FileArchive,
    order: 51,
    offered: () => signedIn.value,
    act: items => openSlideshow(items.map(({ id }) => id)),
  },
  {
    text: baseTexts.rotateLeft,
    icon: RotateCcw,
    order: 61,
    offered: mayUpdateAll,
    act: items => void rotateItems(items, 'left'),
  },
  {
    text: baseTexts.rotateRight,
    icon: RotateCw,
    order: 62,
    offered: mayUpdateAll,
    act: items => void rotateItems(items, 'right'),
  },
  {
    text: baseTexts.editMetadata,
    icon: Pencil,
    order: 63,
    offered: mayUpdateAll,
    act: () => go(addressOfEditor()),
  },
  {
    text: baseTexts.selectCurrent,
    icon: CircleCheckBig,
    order: 64,
    offered: () => true,
    act: () => void selectCurrent(),
  },
  {
    text: baseTexts.delete,
    icon: Trash2,
    order: 70,
    inBar: 'always',
    onPhoneBar: true,
    danger: true,
    offered: mayUpdateAll,
    act: items => askDelete(items),
  },
])

/** Actions that are offered for the present selection. */
export const offeredActions = computed(() => {
  const items = [...selected.value.values()]
  return items.length === 0 ? [] : actions.value.filter(({ offered }) => offered(items))
})

/** Actions in the menu of one item. Reads signals. */
export function actionsInMenu(item: Item): SelectionAction[] {
  return actions.value.filter(({ inItemMenu, offered }) => inItemMenu === true && offered([item]))
}

/** The texts of all actions, whether or not they are offered now. */
export function actionTexts(): string[] {
  return actions.peek().map(({ text }) => text)
}

/** Adds an action; returns the function that removes it. */
export function addSelectionAction(action: SelectionAction): () => void {
  actions.value = [...actions.value, action].sort((a, b) => a.order - b.order)
  return () => {
    actions.value = actions.value.filter(known => known !== action)
  }
}
