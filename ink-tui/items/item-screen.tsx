/** Shared by the screens of items: a list in which one item can fill the screen, and the item keys. */
import { type ReactElement, useState } from 'react'
import { figure, plural } from '../../schema/figures.ts'
import type { Line, Span } from '../line.ts'
import { ItemPane } from '../parts/item-pane.tsx'
import { keysFor } from '../parts/keys-for.ts'
import { Row } from '../parts/rows.tsx'
import { useUi } from '../ui.ts'
import { copy, loadTargets, type Targets } from './item-actions.ts'
import type { LoadPage } from './item-window.ts'
import { type ItemList, useItemList } from './use-item-list.ts'

/** `first`: the item that initially fills the screen, 0 for none. `about`: help's text about opening an item. */
export function useItemScreen(load: LoadPage, key: string, height: number, about: string, first = 0) {
  const ui = useUi()
  const list = useItemList(load, key, height)
  /** The item that fills the screen; 0 if the list does. */
  const [openId, setOpenId] = useState(first)
  const { here } = list
  /** The open item, or the item at the cursor; undefined if an item was opened that is not at the cursor. */
  const inspected = openId === 0 || here?.id === openId ? here : undefined
  const targets: Targets = {
    count: openId === 0 ? list.count : 1,
    name: inspected?.name ?? '',
    ids: async () => (openId === 0 ? list.targets() : [openId]),
  }
  const loadChosenTargets = () => loadTargets(ui, targets, inspected)
  const hasTargets = targets.count > 0
  return {
    list,
    openId,
    setOpenId,
    inspected,
    hasTargets,
    loadChosenTargets,
    openKeys: [
      keysFor(ui, openId === 0 && here)('enter', 'open', about, ({ id }) => setOpenId(id)),
      keysFor(ui, openId !== 0)('esc q left', 'list', 'back to the list', () => setOpenId(0)),
    ],
    copyKey: keysFor(ui, hasTargets)('y', '', 'copy the path, the id or the name', async () => {
      const now = await loadChosenTargets()
      const [id] = await now.ids()
      if (id === undefined) return
      await copy(ui, now, inspected?.id === id ? inspected : await ui.session.client.items.get({ params: { id } }))
    }),
    reloadKey: keysFor(ui, ui)('R', '', 'look again', list.reload),
  }
}

export type ItemScreen = ReturnType<typeof useItemScreen>

export function countsOf({ marked, isKnown, total }: ItemList): Span[] {
  const totalText = isKnown ? plural(total, 'item') : ''
  return marked > 0 ? [{ text: `${figure(marked)} marked`, style: 'accent' }, '  ', totalText] : [totalText]
}

export function OpenItem({
  screen: { openId, inspected },
  ...size
}: {
  screen: ItemScreen
  width: number
  height: number
}) {
  return <ItemPane id={openId} known={inspected} {...size} column={0} row={0} scrolls />
}

/** A line about running work, below a list; nothing if there is none. */
export function WorkLine({ line, width }: { line: Line | null; width: number }): ReactElement | null {
  return line === null ? null : (
    <>
      <Row line={[]} width={width} />
      <Row line={line} width={width} />
    </>
  )
}
