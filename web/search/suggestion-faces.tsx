/** The suggestions of the search, with faces beside the names of people. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Suggestion } from '../../schema/suggestion-match.ts'
import { faceForSuggestion } from '../faces/part.ts'
import { SuggestionList } from '../kit/form/suggestion-list.tsx'
import { pick } from './search.ts'

export function Suggestions(shown: { id: string; list: readonly Suggestion[]; active: number }) {
  useSignals()
  return <SuggestionList {...shown} leadOf={faceForSuggestion} onPick={pick} />
}
