/** The selection bar: the number of selected items and actions; on a phone in place of the bottom bar. */
import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, X } from 'lucide-react'
import { figure } from '../../schema/figures.ts'
import { paged } from '../items/items.ts'
import { openMenu } from '../items/selection/item-menu-state.ts'
import { clearSelection, elsewhere, selected } from '../items/selection/selection.ts'
import { offeredActions, type SelectionAction } from '../items/selection/selection-actions.ts'
import { underway, WorkProgress } from '../items/selection/work-progress.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { phone } from '../kit/viewport.ts'

function Count() {
  useSignals()
  const [count, away] = [selected.value.size, elsewhere.value]
  return (
    <p className="selection-count" role="status">
      <b className="font-semibold">{figure(count)} selected</b>
      {away > 0 && (
        <span className="soft">
          {' '}
          · {figure(away)} not {paged.value ? 'on this page' : 'in this view'}
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
  const busy = underway()
  const near = offeredActions.value.filter(action => action.near === true)
  const count = selected.value.size
  const away = elsewhere.value
  return (
    <div className="bottom-bar selection-phone selection-bar-phone" role="toolbar" aria-label="Selection">
      {busy !== null ? (
        <div className="selection-phone-work">
          <WorkProgress {...busy} />
        </div>
      ) : (
        <>
          <button
            type="button"
            aria-label={`${count} selected${away > 0 ? `, ${away} not in this view` : ''}. Clear the selection`}
            onClick={clearSelection}
          >
            <X size={22} />
            <span className="font-semibold">{figure(count)} selected</span>
          </button>
          {near.map(action => (
            <button key={action.text} type="button" onClick={event => press(action, event.currentTarget)}>
              <action.icon size={22} />
              <span>{action.text.replace('Rotate right', 'Rotate')}</span>
            </button>
          ))}
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => {
              openMenu.value = { kind: 'selection', at: { x: 0, y: 0, width: 0, height: 0 } }
            }}
          >
            <Ellipsis size={22} />
            <span>More</span>
          </button>
        </>
      )}
    </div>
  )
}

export function SelectionBar() {
  useSignals()
  if (phone.value) return <PhoneBar />
  const busy = underway()
  return (
    <div className="selection-bar float" role="toolbar" aria-label="Selection">
      {selected.value.size > 0 && (
        <>
          <IconButton
            icon={X}
            aria-label="Clear the selection"
            title="Clear the selection (Esc)"
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
