/** A keyword of the search: a click toggles AND and NOT, × removes it. */
import { Minus, X } from 'lucide-react'
import type { Word } from '../state/filter.ts'

export function Chip({ word, onToggle, onRemove }: { word: Word; onToggle: () => void; onRemove: () => void }) {
  const { text, not } = word
  return (
    <span className={`chip ${not ? 'chip-not' : ''}`}>
      <button
        type="button"
        className="chip-text"
        aria-label={not ? `Not ${text}` : text}
        aria-pressed={not}
        title={not ? `Without ${text}. Click to ask for it` : `With ${text}. Click to leave it out`}
        onClick={onToggle}
      >
        {not && <Minus size={14} className="shrink-0" />}
        <span className="truncate" dir="auto">
          {text}
        </span>
      </button>
      <button type="button" className="chip-x" aria-label={`Remove ${text}`} onClick={onRemove}>
        <X size={14} />
      </button>
    </span>
  )
}
