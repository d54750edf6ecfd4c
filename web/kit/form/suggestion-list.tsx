/** Suggestions below the search field, by kind. The field keeps the focus; the marked suggestion is active. */
import { useSignals } from '@preact/signals-react/runtime'
import { FolderTree, type LucideIcon, MapPin, Package, PenLine, Tag, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Suggestion, SuggestionKind } from '../../../schema/suggestion-match.ts'
import { baseTexts } from '../../texts/base.ts'
import { suggestionKindNames } from '../../texts/names.ts'
import { countedChoice, Option } from './combo.tsx'

export const suggestionIcons: Record<SuggestionKind, LucideIcon> = {
  People: User,
  Keywords: Tag,
  Category: FolderTree,
  Author: PenLine,
  Objects: Package,
  Places: MapPin,
}

export const optionId = (list: string, at: number) => `${list}-${at}`

export function SuggestionList({
  id,
  list,
  active,
  leadOf,
  onPick,
}: {
  id: string
  list: readonly Suggestion[]
  /** Index of the marked suggestion; -1 for none. */
  active: number
  /** What is shown in place of a suggestion's icon, if anything. */
  leadOf?: (suggestion: Suggestion) => ReactNode
  onPick: (suggestion: Suggestion) => void
}) {
  useSignals()
  const kinds = [...new Set(list.map(({ kind }) => kind))]
  return (
    <div
      id={id}
      role="listbox"
      aria-label={baseTexts.suggestions}
      className="suggestions"
      // Keep the focus in the field.
      onPointerDown={event => event.preventDefault()}
    >
      {kinds.map(kind => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options
        <div key={kind} role="group" aria-label={suggestionKindNames[kind]}>
          <div className="eyebrow suggestion-kind" aria-hidden="true">
            {suggestionKindNames[kind]}
          </div>
          {list.map((suggestion, at) =>
            suggestion.kind === kind ? (
              <Option
                key={`${suggestion.id} ${suggestion.name}`}
                id={optionId(id, at)}
                choice={countedChoice(suggestion, {
                  key: '',
                  icon: suggestionIcons[suggestion.kind],
                  lead: leadOf?.(suggestion),
                })}
                active={at === active}
                onPick={() => onPick(suggestion)}
              />
            ) : null,
          )}
        </div>
      ))}
    </div>
  )
}
