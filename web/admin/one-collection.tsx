/** A select box for one collection or all collections. */
import type { Collection } from '../../schema/api/collections.ts'
import { baseTexts } from '../texts/base.ts'

export function OneCollection({
  of,
  value,
  onChange,
}: {
  of: readonly Collection[]
  /** Id of the collection; 0 means all. */
  value: number
  onChange: (id: number) => void
}) {
  if (of.length < 2) return null
  return (
    <select
      className="input h-[max(32px,var(--tap))] w-56 max-sm:w-full"
      aria-label={baseTexts.collection}
      value={value}
      onChange={event => onChange(Number(event.target.value))}
    >
      <option value={0}>{baseTexts.allCollections}</option>
      {of.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
