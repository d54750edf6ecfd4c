/** Confirmation dialogs for actions on a whole collection: deleting, writing metadata, importing from another. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { ownCollections, removeCollection } from '../../app/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { say } from '../../app/messages.ts'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
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
    if (done) say(adminTexts.isDeleted({ name: of.name }), collectionsTexts.itsFilesWereNotChanged)
    return done
  }
  return (
    <Confirm
      title={adminTexts.delete({ name: of.name })}
      action={collectionsTexts.deleteCollection}
      onConfirm={act}
      onClose={onClose}
    >
      <p>
        {of.itemcount === 0
          ? collectionsTexts.deleteEmpty({ name: <Name of={of} /> })
          : collectionsTexts.deleteItems({ count: of.itemcount, name: <Name of={of} /> })}
      </p>
      <p className="soft">
        {collectionsTexts.filesNotTouched({
          path: <bdi className="font-mono text-xs [overflow-wrap:anywhere]">{of.path}</bdi>,
        })}
      </p>
    </Confirm>
  )
}

async function startJob(starting: Promise<boolean>): Promise<boolean> {
  const started = await starting
  if (started) checkServer()
  return started
}

export function ImportMetadata({ of, onClose }: OfCollection) {
  return (
    <Confirm
      title={collectionsTexts.importMetadataOf({ name: of.name })}
      action={collectionsTexts.importMetadataTitle}
      danger={false}
      onConfirm={() => startJob(importMetadata(of.id))}
      onClose={onClose}
    >
      <p>{collectionsTexts.importMetadataHint({ name: <Name of={of} /> })}</p>
      <p className="soft">{collectionsTexts.importMetadataWarning}</p>
    </Confirm>
  )
}

export function ExportMetadata({ of, onClose }: OfCollection) {
  return (
    <Confirm
      title={collectionsTexts.exportMetadataOf({ name: of.name })}
      action={collectionsTexts.exportMetadata}
      danger={false}
      onConfirm={() => startJob(exportMetadata(of.id))}
      onClose={onClose}
    >
      <p>
        {of.writeBack === 'file'
          ? collectionsTexts.exportToFiles({ count: of.itemcount, name: <Name of={of} /> })
          : collectionsTexts.exportToSidecars({ count: of.itemcount, name: <Name of={of} /> })}
      </p>
      <p className="soft">
        {of.writeBack === 'file'
          ? collectionsTexts.picturesInThemStay
          : collectionsTexts.picturesThemselvesAreNotTouched}
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
      title={collectionsTexts.importInto({ name: of.name })}
      action={collectionsTexts.import}
      disabled={chosen === null}
      danger={false}
      onConfirm={async () => chosen !== null && startJob(importCollection(of.id, chosen))}
      onClose={onClose}
    >
      <p>{collectionsTexts.importCollectionHint({ name: <Name of={of} /> })}</p>
      <fieldset className="choice-list min-w-0" aria-label={collectionsTexts.importFrom}>
        {others.map(other => (
          <label key={other.id}>
            <input type="radio" name="from" checked={chosen === other.id} onChange={() => setChosen(other.id)} />
            <span className="truncate" dir="auto" title={other.name}>
              {other.name}
            </span>
            <span className="soft text-xs ms-auto shrink-0">{baseTexts.itemCount({ count: other.itemcount })}</span>
          </label>
        ))}
      </fieldset>
    </Confirm>
  )
}
