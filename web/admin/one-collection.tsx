/** A select box for one collection or all collections. */
import type { Collection } from '../../schema/api/collections.ts'
import { namedChoices, Select } from '../kit/form/select.tsx'
import { baseTexts } from '../texts/base.ts'

export function CollectionChoice({
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
    <Select
      className="input h-[max(32px,var(--tap))] w-56 max-sm:w-full"
      aria-label={baseTexts.collection}
      value={value}
      choices={[{ value: 0, text: baseTexts.allCollections }, ...namedChoices(of)]}
      onChoose={id => onChange(Number(id))}
    />
  )
}
