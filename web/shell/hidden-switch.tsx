/** The switch 'Show hidden items': turning it on asks for the PIN, turning it off hides them at once. */
import { useSignals } from '@preact/signals-react/runtime'
import { dialog, openPin } from '../app/dialogs.ts'
import { lock, showsHidden } from '../app/hidden.ts'
import { Toggle } from '../kit/switch.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'

export function HiddenSwitch() {
  useSignals()
  const on = showsHidden.value || (dialog.value?.kind === 'pin' && !dialog.value.refused)
  return (
    <label className="flex items-center gap-4 border-t hair pt-4 cursor-pointer min-h-(--tap)">
      <span className="grow min-w-0">
        {baseTexts.showHiddenItems}
        <span className="block text-xs soft">
          {showsHidden.value ? shellTexts.hiddenWhenIdle : shellTexts.asksForYourPin}
        </span>
      </span>
      <Toggle
        label={baseTexts.showHiddenItems}
        checked={on}
        onChange={checked => (checked ? openPin() : void lock())}
      />
    </label>
  )
}
