/** The selection bar: how many items are selected, and the actions; on a phone it replaces the bottom bar. */
import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, X } from 'lucide-react'
import { paged } from '../items/items.ts'
import { shownMenu } from '../items/selection/item-menu-state.ts'
import { clearSelection, elsewhereCount, selected } from '../items/selection/selection.ts'
import { offeredActions, type SelectionAction } from '../items/selection/selection-actions.ts'
import { currentWork, WorkProgress } from '../items/selection/work-progress.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { phone } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { selectionTexts } from '../texts/selection.ts'

function Count() {
  useSignals()
  const [count, away] = [selected.value.size, elsewhereCount.value]
  return (
    <p className="selection-count" role="status">
      <b className="font-semibold">{selectionTexts.selectedCount({ count })}</b>
      {away > 0 && (
        <span className="soft">
          {' '}
          ·{' '}
          {paged.value ? selectionTexts.notOnThisPage({ count: away }) : selectionTexts.notInThisView({ count: away })}
        </span>
      )}
    </p>
  )
}

function press({ act }: SelectionAction, button: Element): void {
  const { x, y, width, height } = button.getBoundingClientRect()
  act([...selected.peek().values()], { x, y, width, height })
}

function PhoneBar() {
  useSignals()
  const busy = currentWork()
  const shown = offeredActions.value.filter(action => action.onPhoneBar === true)
  const count = selected.value.size
  const away = elsewhereCount.value
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
              away > 0 ? selectionTexts.clearSelectedAway({ count, away }) : selectionTexts.clearSelected({ count })
            }
            onClick={clearSelection}
          >
            <X size={22} />
            <span className="font-semibold">{selectionTexts.selectedCount({ count })}</span>
          </button>
          {shown.map(action => (
            <button key={action.text} type="button" onClick={event => press(action, event.currentTarget)}>
              <action.icon size={22} />
              <span>{action.text.replace(baseTexts.rotateRight, baseTexts.rotate)}</span>
            </button>
          ))}
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => {
              shownMenu.value = { kind: 'selection', at: { x: 0, y: 0, width: 0, height: 0 } }
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

export function SelectionBar() {
  useSignals()
  if (phone.value) return <PhoneBar />
  const busy = currentWork()
  return (
    <div className="selection-bar float" role="toolbar" aria-label={selectionTexts.selection}>
      {selected.value.size > 0 && (
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
        offeredActions.value.map(action => (
          <button
            key={action.text}
            type="button"
            className="selection-act"
            title={action.text}
            onClick={event => press(action, event.currentTarget)}
          >
            <action.icon size={18} />
            <span>{action.text}</span>
          </button>
        ))
      )}
    </div>
  )
}
