/** How many items of the gallery match the filter. */
import { useSignals } from '@preact/signals-react/runtime'
import { useRef } from 'react'
import { filtered, isOnFilteredScreen } from '../app/current-filter.ts'
import { isCurrent, list, listFailed } from '../items/items.ts'
import { baseTexts } from '../texts/base.ts'

/** Keeps its text while the next list loads. An empty <output> stays in the page: screen readers announce its changes. */
export function FoundCount() {
  useSignals()
  const text = useRef('')
  // Other screens with a filter do not show the gallery's list.
  if (!filtered.value || isOnFilteredScreen.value || listFailed.value) text.current = ''
  else if (isCurrent.value) text.current = baseTexts.itemCount({ count: list.value?.total ?? 0 })
  return <output className="soft text-xs shrink-0 whitespace-nowrap">{text.current}</output>
}
