/** Parts of fields with suggestions: the chosen words, and the button that lists all. */
import { ChevronDown, X } from 'lucide-react'
import { baseTexts } from '../../texts/base.ts'

export function WordChips({
  words,
  disabled = false,
  onRemove,
}: {
  words: readonly { key: string; name: string }[]
  disabled?: boolean
  onRemove: (at: number) => void
}) {
  return words.map(({ key, name }, at) => (
    <span key={key} className="chip">
      <span className="chip-text" dir="auto">
        <span className="truncate">{name}</span>
      </span>
      <button
        type="button"
        className="chip-x"
        aria-label={baseTexts.removeNamed({ name })}
        disabled={disabled}
        onClick={() => onRemove(at)}
      >
        <X size={14} />
      </button>
    </span>
  ))
}

/** The button that lists all words. The focus stays in the field. */
export function ListAllButton({
  fieldId,
  label,
  expanded,
  onPress,
}: {
  fieldId: string
  label: string
  expanded: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      className="words-all"
      aria-label={baseTexts.allInUseOf({ label })}
      title={baseTexts.allInUse}
      aria-expanded={expanded}
      onPointerDown={event => event.preventDefault()}
      onClick={() => {
        document.getElementById(fieldId)?.focus()
        onPress()
      }}
    >
      <ChevronDown size={18} />
    </button>
  )
}
