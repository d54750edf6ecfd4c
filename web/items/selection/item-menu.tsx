/** Renders the menu that `shownMenu` says: of an item (on cards, in the viewer, on the map) or of the selection. */
import { useSignals } from '@preact/signals-react/runtime'
import { ClipboardCopy, ExternalLink, MapPin, Pencil, Puzzle, Share2 } from 'lucide-react'
import type { Item } from '../../../schema/api/items.ts'
import { originalOf } from '../../api.ts'
import { go } from '../../app/address.ts'
import { addressOfEditor } from '../../app/current-filter.ts'
import { pluginActions } from '../../app/plugin-slots.ts'
import { mayUpdate } from '../../app/rights.ts'
import { signedIn } from '../../app/session.ts'
import { longDate } from '../../kit/dates.ts'
import type { LayerFrame } from '../../kit/layers/layer-frame.ts'
import { Menu, type MenuEntry } from '../../kit/layers/menu.tsx'
import { phone } from '../../kit/viewport.ts'
import { baseTexts } from '../../texts/base.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { openId } from '../open-item.ts'
import { copyImage, copySizes } from './clipboard.ts'
import { closeMenu, shownMenu } from './item-menu-state.ts'
import { selected } from './selection.ts'
import { actionsInMenu, offeredActions } from './selection-actions.ts'
import { shareItem } from './share-links.ts'

const sizeNames = {
  tiny: selectionTexts.tiny,
  small: selectionTexts.small,
  medium: selectionTexts.medium,
  large: selectionTexts.large,
  variant: selectionTexts.variant,
} as const

function shareEntries(item: Item): MenuEntry[] {
  return [
    { text: selectionTexts.hours24, act: () => void shareItem(item, 24) },
    { text: selectionTexts.hours48, act: () => void shareItem(item, 48) },
    { text: selectionTexts.aWeek, act: () => void shareItem(item, 168) },
  ]
}

function copyEntries(item: Item): MenuEntry[] {
  return copySizes.map(size => ({ text: sizeNames[size], act: () => void copyImage(item, size) }))
}

function itemEntries(item: Item): MenuEntry[] {
  const { latitude = null } = item.tags.Locations?.data ?? {}
  const entries: (MenuEntry | false)[] = [
    mayUpdate(item) && { text: baseTexts.editMetadata, icon: Pencil, act: () => go(addressOfEditor([item.id])) },
    latitude !== null && { text: selectionTexts.locateOnMap, icon: MapPin, act: () => go(`/world-map/${item.id}`) },
    item.problem === null && { text: baseTexts.copyToClipboard, icon: ClipboardCopy, entries: copyEntries(item) },
    { text: baseTexts.openOriginal, icon: ExternalLink, href: originalOf(item) },
    signedIn.value && { text: selectionTexts.share, icon: Share2, entries: shareEntries(item) },
    ...actionsInMenu(item).map(({ text, icon, act }) => ({ text, icon, act: () => act([item]) })),
    ...pluginActions.value
      .filter(({ offered }) => offered([item]))
      .map(({ label, act }) => ({ text: label, icon: Puzzle, act: () => act([item]) })),
  ]
  return entries.filter(entry => entry !== false)
}

/** The actions of the selection; for a single item also the item's own menu. */
function selectionEntries(without: ReadonlySet<string>): MenuEntry[] {
  const items = [...selected.value.values()]
  const [only] = items
  const actions = offeredActions.value.map(({ text, icon, danger, act }) => ({
    text,
    icon,
    danger,
    act: () => act(items),
  }))
  const actionTexts = new Set(actions.map(({ text }) => text))
  const ofItem =
    only === undefined || items.length > 1 ? [] : itemEntries(only).filter(({ text }) => !actionTexts.has(text))
  return [...ofItem, ...actions].filter(({ text }) => !without.has(text))
}

/** For menus over the viewer, which is dark in both themes. */
const darkFrame: LayerFrame = { theme: 'keepsake-dark' }

export function ItemMenu() {
  useSignals()
  const { value } = shownMenu
  if (value === null) return null
  const { at } = value
  const frame = openId.value === null ? undefined : darkFrame
  if (value.kind === 'selection') {
    return (
      <Menu
        label={selectionTexts.selectedCount({ count: selected.value.size })}
        entries={selectionEntries(value.without)}
        at={at}
        onClose={closeMenu}
        frame={frame}
      />
    )
  }
  const { item } = value
  const label = phone.value ? longDate(item.taken) : selectionTexts.item
  return value.kind === 'share' ? (
    <Menu
      key={`share ${item.id}`}
      label={selectionTexts.share}
      entries={shareEntries(item)}
      at={at}
      onClose={closeMenu}
      frame={frame}
    />
  ) : (
    <Menu
      key={`${item.id} ${at.x} ${at.y}`}
      label={label}
      entries={[...itemEntries(item), ...value.more]}
      at={at}
      onClose={closeMenu}
      frame={frame}
    />
  )
}
