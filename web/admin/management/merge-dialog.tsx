/** Merging two people: which of them stays, and the consequences. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../schema/api/people.ts'
import { plural } from '../../../schema/figures.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { mergePeople, people } from '../../people/people-state.ts'
import { byName, nameAt, peopleLike, wallNow } from '../../people/person-names.ts'

const listed = 50

export function MergeDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  useSignals()
  const [typed, setTyped] = useState('')
  const [other, setOther] = useState<Person | null>(null)
  const [swapped, setSwapped] = useState(false)
  const now = wallNow()
  const nameOf = ({ names }: Person) => nameAt(names, now)
  const found = peopleLike((people.value ?? []).filter(({ id }) => id !== person.id).sort(byName(now)), typed)
  const [kept, gone] = swapped && other !== null ? [other, person] : [person, other]
  const merge = async () => {
    const started = gone !== null && (await mergePeople(kept.id, gone.id, `${nameOf(gone)} is now ${nameOf(kept)}`))
    if (started) checkServer()
    return started
  }
  return (
    <Confirm
      title={`Merge ${nameOf(person)}`}
      action="Merge"
      danger={false}
      disabled={gone === null}
      width={520}
      onConfirm={merge}
      onClose={onClose}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <input
          type="search"
          className="input"
          aria-label="Who is the same person?"
          placeholder="Who is the same person?"
          value={typed}
          data-autofocus
          onChange={event => setTyped(event.target.value)}
        />
        <fieldset className="choice-list" aria-label="People">
          {found.slice(0, listed).map(one => (
            <label key={one.id}>
              <input type="radio" name="other" checked={other?.id === one.id} onChange={() => setOther(one)} />
              <span className="truncate" dir="auto" title={one.names.map(({ name }) => name).join(', ')}>
                {nameOf(one)}
              </span>
              <span className="soft text-xs ms-auto shrink-0">{plural(one.itemcount, 'item')}</span>
            </label>
          ))}
          {found.length === 0 && <p className="soft p-3">Nobody has that name</p>}
          {found.length > listed && (
            <p className="soft text-xs p-3">{plural(found.length - listed, 'more', 'more')}: type a name.</p>
          )}
        </fieldset>
      </div>
      <div className="flex items-center gap-3 min-h-16">
        <p className="min-w-0 break-words">
          {gone === null ? (
            <span className="soft">Choose who is the same person.</span>
          ) : (
            <>
              <b className="font-semibold" dir="auto">
                {nameOf(kept)}
              </b>{' '}
              stays and takes over the {plural(gone.itemcount, 'item')}, names and faces of{' '}
              <b className="font-semibold" dir="auto">
                {nameOf(gone)}
              </b>
              .
            </>
          )}
        </p>
        {gone !== null && (
          <Button
            look="quiet"
            small
            className="h-[max(32px,var(--tap))] ms-auto"
            icon={ArrowUpDown}
            text="Swap"
            onClick={() => setSwapped(!swapped)}
          />
        )}
      </div>
    </Confirm>
  )
}
