/** Which collection's items are listed. */
import { useSignals } from '@preact/signals-react/runtime'
import { ownCollections } from '../../../state/collections.ts'

export function CollectionChoice({ value, onChange }: { value: number; onChange: (id: number) => void }) {
  useSignals()
  const own = ownCollections.value.filter(({ rights }) => rights.update)
  if (own.length < 2) return null
  return (
    <select
      className="input"
      aria-label="Collection"
      value={value}
      onChange={event => onChange(Number(event.target.value))}
    >
      <option value={0}>All collections</option>
      {own.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
