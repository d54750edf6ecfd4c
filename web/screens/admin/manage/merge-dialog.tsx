/** Two people who are the same: which of them stays, and what becomes of the other. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowUpDown } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import type { Person } from '../../../../schema/api/people.ts'
import { plural } from '../../../../schema/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { Modal } from '../../../parts/modal.tsx'
import { hurry } from '../../../realtime.ts'
import { mergePeople, people } from '../../../state/people.ts'
import { byName, nameAt, peopleLike, wallNow } from '../../../state/person-names.ts'

const listed = 50

export function MergeDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  useSignals()
  const [typed, setTyped] = useState('')
  const [other, setOther] = useState<Person | null>(null)
  const [swapped, setSwapped] = useState(false)
  const [busy, setBusy] = useState(false)
  const now = wallNow()
  const nameOf = ({ names }: Person) => nameAt(names, now)
  const found = peopleLike((people.value ?? []).filter(({ id }) => id !== person.id).sort(byName(now)), typed)
  const [kept, gone] = swapped && other !== null ? [other, person] : [person, other]
  const merge = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (gone === null || busy) return
    setBusy(true)
    if (await mergePeople(kept.id, gone.id, `${nameOf(gone)} is now ${nameOf(kept)}`)) {
      hurry()
      onClose()
    } else setBusy(false)
  }
  return (
    <Modal title={`Merge ${nameOf(person)}`} onClose={onClose} width={520}>
      <form onSubmit={event => void merge(event)} className="px-6 pt-2 pb-5 grid grid-cols-[minmax(0,1fr)] gap-4">
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
            {found.length === 0 && <p className="soft p-3">Nobody of that name</p>}
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
        <div className="flex justify-end gap-2">
          <Button look="ghost" text="Cancel" onClick={onClose} />
          <Button type="submit" look="primary" text="Merge" disabled={gone === null || busy} />
        </div>
      </form>
    </Modal>
  )
}
