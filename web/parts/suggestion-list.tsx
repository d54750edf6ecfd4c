/** Suggestions under the search field, grouped by kind. The field keeps the focus; the marked one is its active descendant. */
import { useSignals } from '@preact/signals-react/runtime'
import { FolderTree, type LucideIcon, MapPin, Package, PenLine, Tag, User } from 'lucide-react'
import { figure, plural } from '../../schema/figures.ts'
import type { Suggestion, SuggestionKind } from '../../schema/suggestion-match.ts'

export const suggestionIcons: Record<SuggestionKind, LucideIcon> = {
  People: User,
  Keywords: Tag,
  Category: FolderTree,
  Author: PenLine,
  Objects: Package,
  Places: MapPin,
}

export const optionId = (list: string, at: number) => `${list}-${at}`

function Option({
  id,
  suggestion,
  active,
  onPick,
}: {
  id: string
  suggestion: Suggestion
  active: boolean
  onPick: () => void
}) {
  const { kind, name, count, from, to } = suggestion
  const Icon = suggestionIcons[kind]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-label={`${name}, ${plural(count, 'item')}`}
      className="suggestion"
      title={name}
      ref={element => {
        if (active) element?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={onPick}
    >
      <Icon size={16} className="soft shrink-0" aria-hidden="true" />
      <span className="truncate" dir="auto">
        {name.slice(0, from)}
        <b className="font-semibold">{name.slice(from, to)}</b>
        {name.slice(to)}
      </span>{' '}
      <span className="n">{figure(count)}</span>
    </div>
  )
}

export function SuggestionList({
  id,
  list,
  active,
  onPick,
}: {
  id: string
  list: readonly Suggestion[]
  /** Number of the marked one; -1 for none. */
  active: number
  onPick: (suggestion: Suggestion) => void
}) {
  useSignals()
  const kinds = [...new Set(list.map(({ kind }) => kind))]
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      className="suggestions"
      // The field keeps the focus.
      onPointerDown={event => event.preventDefault()}
    >
      {kinds.map(kind => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options
        <div key={kind} role="group" aria-label={kind}>
          <div className="eyebrow suggestion-kind" aria-hidden="true">
            {kind}
          </div>
          {list.map((suggestion, at) =>
            suggestion.kind === kind ? (
              <Option
                key={`${suggestion.id} ${suggestion.name}`}
                id={optionId(id, at)}
                suggestion={suggestion}
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
