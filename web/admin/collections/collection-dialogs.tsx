/** Questions before an action on a whole collection: deleting it, its metadata, importing from another. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { ownCollections, removeCollection } from '../../app/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { say } from '../../app/messages.ts'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { exportMetadata, importCollection, importMetadata } from './collection-work.ts'

interface OfCollection {
  of: Collection
  onClose: () => void
}

const Name = ({ of }: { of: Collection }) => (
  <b className="font-semibold" dir="auto">
    {of.name}
  </b>
)

export function DeleteCollection({ of, onClose }: OfCollection) {
  const act = async () => {
    const done = await removeCollection(of.id)
    if (done) say(`${of.name} is deleted`, 'Its files were not changed.')
    return done
  }
  return (
    <Confirm title={`Delete ${of.name}`} action="Delete collection" onConfirm={act} onClose={onClose}>
      <p>
        {of.itemcount === 0 ? (
          <>
            The collection <Name of={of} /> leaves the library. It has no items.
          </>
        ) : (
          <>
            {of.itemcount === 1 ? 'The one item' : `The ${figure(of.itemcount)} items`} of <Name of={of} />{' '}
            {of.itemcount === 1 ? 'leaves' : 'leave'} the library, with everything that was written on{' '}
            {of.itemcount === 1 ? 'it' : 'them'}: keywords, people, places. That cannot be undone.
          </>
        )}
      </p>
      <p className="soft">
        The files in <bdi className="font-mono text-xs [overflow-wrap:anywhere]">{of.path}</bdi> are not touched.
      </p>
    </Confirm>
  )
}

async function begun(starting: Promise<boolean>): Promise<boolean> {
  const started = await starting
  if (started) checkServer()
  return started
}

export function ImportMetadata({ of, onClose }: OfCollection) {
  return (
    <Confirm
      title={`Import metadata of ${of.name}`}
      action="Import metadata"
      danger={false}
      onConfirm={() => begun(importMetadata(of.id))}
      onClose={onClose}
    >
      <p>
        The dates, descriptions, keywords, people and places in the files of <Name of={of} /> are read again.
      </p>
      <p className="soft">Values in a file replace those in Keepsake. The files are not changed. You can undo this.</p>
    </Confirm>
  )
}

export function ExportMetadata({ of, onClose }: OfCollection) {
  return (
    <Confirm
      title={`Export metadata of ${of.name}`}
      action="Export metadata"
      danger={false}
      onConfirm={() => begun(exportMetadata(of.id))}
      onClose={onClose}
    >
      <p>
        What is known of {plural(of.itemcount, 'item')} of <Name of={of} /> is written{' '}
        {of.writeBack === 'file' ? 'into the files themselves' : 'into sidecar files beside the pictures'}, where the
        files do not say it already.
      </p>
      <p className="soft">
        {of.writeBack === 'file'
          ? 'The pictures in them stay byte for byte as they are.'
          : 'The pictures themselves are not touched.'}
      </p>
    </Confirm>
  )
}

export function ImportCollection({ of, onClose }: OfCollection) {
  useSignals()
  const [chosen, setChosen] = useState<number | null>(null)
  const others = ownCollections.value.filter(({ id }) => id !== of.id)
  return (
    <Confirm
      title={`Import into ${of.name}`}
      action="Import"
      disabled={chosen === null}
      danger={false}
      onConfirm={async () => chosen !== null && begun(importCollection(of.id, chosen))}
      onClose={onClose}
    >
      <p>
        Files of the other collection that <Name of={of} /> does not have yet are copied into it, with their tags. The
        other one is not changed.
      </p>
      <fieldset className="choice-list min-w-0" aria-label="From">
        {others.map(other => (
          <label key={other.id}>
            <input type="radio" name="from" checked={chosen === other.id} onChange={() => setChosen(other.id)} />
            <span className="truncate" dir="auto" title={other.name}>
              {other.name}
            </span>
            <span className="soft text-xs ms-auto shrink-0">{plural(other.itemcount, 'item')}</span>
          </label>
        ))}
      </fieldset>
    </Confirm>
  )
}
