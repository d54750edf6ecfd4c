/** The list of suggestions, with faces beside the names of people. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Suggestion } from '../../schema/suggestion-match.ts'
import { faceForSuggestion } from '../faces/part.ts'
import { SuggestionList } from '../kit/form/suggestion-list.tsx'
import { pickSuggestion } from './search.ts'

export function Suggestions(state: { id: string; list: readonly Suggestion[]; active: number }) {
  useSignals()
  return <SuggestionList {...state} leadOf={faceForSuggestion} onPick={pickSuggestion} />
}
