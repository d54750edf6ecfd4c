/** How many items of the gallery match the filter, in every view. Other screens with a filter show other items. */
import { useSignals } from '@preact/signals-react/runtime'
import { useRef } from 'react'
import { filtered, filtersHere } from '../app/current-filter.ts'
import { isCurrent, list, listFailed } from '../items/items.ts'
import { baseTexts } from '../texts/base.ts'

/** Keeps its text while the next list loads. Stays in the page without one, so that screen readers hear the first. */
export function FoundCount() {
  useSignals()
  const text = useRef('')
  if (!filtered.value || filtersHere.value || listFailed.value) text.current = ''
  else if (isCurrent.value) text.current = baseTexts.itemCount({ count: list.value?.total ?? 0 })
  return <output className="soft text-xs shrink-0 whitespace-nowrap">{text.current}</output>
}
