/** The selection bar: how many items are selected, and the actions; on a phone it replaces the bottom bar. */
import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, X } from 'lucide-react'
import { Fragment, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { paged } from '../items/items.ts'
import { shownMenu } from '../items/selection/item-menu-state.ts'
import { clearSelection, elsewhereCount, selected } from '../items/selection/selection.ts'
import { offeredActions, type SelectionAction } from '../items/selection/selection-actions.ts'
import { currentWork, WorkProgress } from '../items/selection/work-progress.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { phone, windowWidth } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { selectionTexts } from '../texts/selection.ts'

function Count() {
  useSignals()
  const [count, elsewhere] = [selected.value.size, elsewhereCount.value]
  return (
    <p className="selection-count" role="status">
      <b className="font-semibold">{selectionTexts.selectedCount({ count })}</b>
      {elsewhere > 0 && (
        <span className="soft">
          {' '}
          ·{' '}
          {paged.value
            ? selectionTexts.notOnThisPage({ count: elsewhere })
            : selectionTexts.notInThisView({ count: elsewhere })}
        </span>
      )}
    </p>
  )
}

function perform({ act }: SelectionAction, button: Element): void {
  const { x, y, width, height } = button.getBoundingClientRect()
  act([...selected.peek().values()], { x, y, width, height })
}

function PhoneBar() {
  useSignals()
  const busy = currentWork()
  const actions = offeredActions.value.filter(action => action.onPhoneBar === true)
  const count = selected.value.size
  const elsewhere = elsewhereCount.value
  return (
    <div
      className="bottom-bar selection-phone selection-bar-phone"
      role="toolbar"
      aria-label={selectionTexts.selection}
    >
      {busy !== null ? (
        <div className="selection-phone-work">
          <WorkProgress {...busy} />
        </div>
      ) : (
        <>
          <button
            type="button"
            aria-label={
              elsewhere > 0
                ? selectionTexts.clearSelectedAway({ count, away: elsewhere })
                : selectionTexts.clearSelected({ count })
            }
            onClick={clearSelection}
          >
            <X size={22} />
            <span className="font-semibold">{selectionTexts.selectedCount({ count })}</span>
          </button>
          {actions.map(action => (
            <button
              key={action.text}
              type="button"
              aria-label={action.text}
              onClick={event => perform(action, event.currentTarget)}
            >
              <action.icon size={22} />
              <span>{action.short ?? action.text}</span>
            </button>
          ))}
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => {
              shownMenu.value = { kind: 'selection', at: { x: 0, y: 0, width: 0, height: 0 }, without: new Set() }
            }}
          >
            <Ellipsis size={22} />
            <span>{baseTexts.more}</span>
          </button>
        </>
      )}
    </div>
  )
}

function ActionButton({ action }: { action: SelectionAction }) {
  return (
    <button
      type="button"
      className="selection-act"
      title={action.text}
      onClick={event => perform(action, event.currentTarget)}
    >
      <action.icon size={18} />
      <span>{action.text}</span>
    </button>
  )
}

/** The action to remove from the bar if it has too little room; undefined if all must stay. */
function nextToRemove(inBar: readonly SelectionAction[]): SelectionAction | undefined {
  return inBar
    .filter(({ inBar: rank }) => typeof rank === 'number')
    .reduce<SelectionAction | undefined>(
      (last, one) => (last === undefined || Number(one.inBar) > Number(last.inBar) ? one : last),
      undefined,
    )
}

/**
 * The actions for which the bar has room; the others are in its menu. One action after another is removed until the rest
 * fits. When `version` changes, all actions are tried again.
 */
function useFittingActions(bar: RefObject<HTMLElement | null>, offered: readonly SelectionAction[], version: string) {
  const [removed, setRemoved] = useState<{ version: string; texts: readonly string[] }>({ version, texts: [] })
  const texts = removed.version === version ? removed.texts : []
  const inBar = offered.filter(({ text, inBar: rank }) => rank !== undefined && !texts.includes(text))
  useLayoutEffect(() => {
    const { current } = bar
    const next = nextToRemove(inBar)
    if (current === null || next === undefined || current.scrollWidth <= current.clientWidth) return
    setRemoved({ version, texts: [...texts, next.text] })
  })
  return inBar
}

const isDelete = ({ danger = false }: SelectionAction) => danger

export function SelectionBar() {
  useSignals()
  return phone.value ? <PhoneBar /> : <WideBar />
}

function WideBar() {
  useSignals()
  const bar = useRef<HTMLDivElement>(null)
  const busy = currentWork()
  const offered = offeredActions.value
  const count = selected.value.size
  // What the width of the bar depends on. The sidebar's width follows from that of the window.
  const version = [windowWidth.value, count, elsewhereCount.value, ...offered.map(({ text }) => text)].join(' ')
  const inBar = useFittingActions(bar, offered, version)
  return (
    <div ref={bar} className="selection-bar float" role="toolbar" aria-label={selectionTexts.selection}>
      {count > 0 && (
        <>
          <IconButton
            icon={X}
            aria-label={selectionTexts.clearTheSelection}
            title={selectionTexts.clearTheSelectionEsc}
            onClick={clearSelection}
          />
          <Count />
        </>
      )}
      {busy !== null ? (
        <div className="selection-work">
          <WorkProgress {...busy} />
        </div>
      ) : (
        count > 0 && (
          <>
            {inBar
              .filter(action => !isDelete(action))
              .map(action => (
                <ActionButton key={action.text} action={action} />
              ))}
            <IconButton
              icon={Ellipsis}
              label={selectionTexts.moreActions}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => {
                const { x, y, width, height } = currentTarget.getBoundingClientRect()
                const without = new Set(inBar.map(({ text }) => text))
                shownMenu.value = { kind: 'selection', at: { x, y, width, height }, without }
              }}
            />
            {inBar.filter(isDelete).map(action => (
              <Fragment key={action.text}>
                <i className="selection-line" aria-hidden="true" />
                <ActionButton action={action} />
              </Fragment>
            ))}
          </>
        )
      )}
    </div>
  )
}
