/** The dialog that creates a collection or changes its settings. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useState } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import { createCollection, scanCollection, updateCollection } from '../../app/collections.ts'
import { checkServer } from '../../app/loading/recovery.ts'
import { globalAdmin } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/form/field.tsx'
import { Fault } from '../../kit/form/form-fault.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Modal } from '../../kit/layers/modal.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { Switch } from '../../kit/switch.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import {
  type CollectionForm,
  changesOf,
  collectionFaults,
  collectionFormOf,
  nameOfPath,
  newCollectionOf,
} from './collection-draft.ts'
import { ManagedFields, PathField } from './collection-fields.tsx'

const examplePath = '/srv/photos/family'

const writeBacks = ['off', 'sidecar', 'file'] as const
const writeBackText = {
  off: collectionsTexts.onlyInKeepsake,
  sidecar: collectionsTexts.sidecarFiles,
  file: collectionsTexts.thePictures,
} as const
const writeBackHint = {
  off: collectionsTexts.onlyInKeepsakeHint,
  sidecar: collectionsTexts.sidecarFilesHint,
  file: collectionsTexts.thePicturesHint,
} as const

/** Saves the form; returns null on success. A new collection is scanned at once. */
async function saveCollection(of: Collection | null, form: CollectionForm) {
  if (of !== null) {
    const changes = changesOf(of, form)
    return Object.keys(changes).length === 0 ? null : updateCollection(of.id, changes)
  }
  const result = await createCollection(newCollectionOf(form))
  if ('text' in result) return result
  void scanCollection(result.created.id).then(started => started && checkServer())
  return null
}

function useCollectionForm(collection: Collection | null, onClose: () => void) {
  // Compare with the values at opening time, so that changes made by others meanwhile are kept.
  const [of] = useState(collection)
  const form = useForm<CollectionForm>(values => collectionFaults(values, of !== null), collectionFormOf(of))
  const { busy, run } = useBusy()
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    form.showAllFaults()
    if (!form.valid) return
    const fault = await run(() => saveCollection(of, form.values))
    if (fault === null) onClose()
    else if (fault !== undefined) form.refuse(fault)
  }
  return { form, busy, save }
}

type Form = ReturnType<typeof useCollectionForm>['form']

/** Name and path. A new collection is named after its folder by default. */
function NameAndPath({ form, of, readOnly }: { form: Form; of: Collection | null; readOnly: boolean }) {
  const [hasOwnName, setHasOwnName] = useState(of !== null)
  const setPath = (text: string) => {
    form.set('path', text)
    if (!hasOwnName) form.set('name', nameOfPath(text))
  }
  const name = form.field('name')
  const path = form.field('path')
  const fields = [
    <Field
      key="name"
      label={baseTexts.name}
      autoComplete="off"
      dir="auto"
      readOnly={readOnly}
      data-autofocus={of === null || readOnly ? undefined : true}
      {...name}
      onChange={event => {
        setHasOwnName(event.target.value !== '')
        name.onChange(event)
      }}
    />,
    <PathField
      key="path"
      label={collectionsTexts.path}
      hint={of === null ? collectionsTexts.pathHint : collectionsTexts.pathFixedHint}
      placeholder={of === null ? examplePath : undefined}
      data-autofocus={of === null ? true : undefined}
      {...path}
      onChange={event => setPath(event.target.value)}
      {...(of === null ? { onChoose: setPath } : {})}
    />,
  ]
  return of === null ? fields.reverse() : fields
}

function Switches({ form, of, readOnly }: { form: Form; of: Collection | null; readOnly: boolean }) {
  const { values } = form
  return (
    <div className="grid sm:grid-cols-2 gap-x-6 gap-y-2">
      <Switch
        label={collectionsTexts.readOnly}
        hint={collectionsTexts.readOnlyHint}
        checked={values.readonly}
        disabled={readOnly}
        onChange={on => form.set('readonly', on)}
      />
      <Switch
        label={collectionsTexts.keepPeopleAndPlaces}
        hint={collectionsTexts.keepPeopleHint}
        checked={values.keepPrivate}
        disabled={readOnly}
        onChange={on => form.set('keepPrivate', on)}
      />
      {of !== null && (
        <Switch
          label={collectionsTexts.livePhotosAsOne}
          hint={collectionsTexts.livePhotosHint}
          checked={values.pairing}
          disabled={readOnly}
          onChange={on => form.set('pairing', on)}
        />
      )}
    </div>
  )
}

const foldedFields = ['pathVariant', 'folderFormat', 'fileFormat'] as const

/** Settings that a new collection need not have. */
function Settings({ form, of, readOnly }: { form: Form; of: Collection | null; readOnly: boolean }) {
  const { values } = form
  return (
    <>
      <PathField
        label={collectionsTexts.variantsPath}
        hint={collectionsTexts.variantsPathHint}
        {...form.field('pathVariant')}
        {...(readOnly ? {} : { onChoose: path => form.set('pathVariant', path) })}
      />
      <Switch
        label={collectionsTexts.managed}
        hint={collectionsTexts.managedHint}
        checked={values.managed}
        disabled={readOnly}
        onChange={on => form.set('managed', on)}
      />
      {values.managed && (
        <ManagedFields
          folderFormat={{ label: collectionsTexts.folderFormat, ...form.field('folderFormat') }}
          fileFormat={{ label: collectionsTexts.filenamePrefix, ...form.field('fileFormat') }}
          onFormat={text => form.set('folderFormat', text)}
          readOnly={readOnly}
        />
      )}
      <Switches form={form} of={of} readOnly={readOnly} />
      <div className="mt-1 grid gap-1.5">
        <fieldset disabled={readOnly} className="min-w-0">
          <Segmented
            label={collectionsTexts.writeEditsTo}
            choices={writeBacks}
            value={values.writeBack}
            onChange={choice => form.set('writeBack', choice)}
            text={choice => writeBackText[choice]}
          />
        </fieldset>
        <p className="text-xs soft">
          {values.readonly && values.writeBack !== 'off'
            ? collectionsTexts.nothingIsWrittenWhile
            : writeBackHint[values.writeBack]}
        </p>
      </div>
    </>
  )
}

export function CollectionDialog({
  of,
  onClose,
  onDelete,
}: {
  /** Null for a new collection. */
  of: Collection | null
  onClose: () => void
  onDelete?: () => void
}) {
  useSignals()
  const { form, busy, save } = useCollectionForm(of, onClose)
  const [wantsMore, setWantsMore] = useState(false)
  // A field with a fault is never folded away.
  const showsMore = wantsMore || foldedFields.some(name => form.field(name).fault !== undefined)
  // Other administrators see the settings, but only a global admin may change them.
  const readOnly = !globalAdmin.value
  const title =
    of === null
      ? collectionsTexts.createCollection
      : readOnly
        ? collectionsTexts.settingsOf({ name: of.name })
        : collectionsTexts.edit({ name: of.name })
  const formFault = form.refused?.field === '' ? form.refused.text : null
  return (
    <Modal title={title} onClose={onClose} width={600} busy={busy}>
      <form onSubmit={event => void save(event)} noValidate>
        <div className="px-6 pt-3 pb-5 grid grid-cols-[minmax(0,1fr)] gap-2">
          <NameAndPath form={form} of={of} readOnly={readOnly} />
          {of === null ? (
            <details open={showsMore} onToggle={event => setWantsMore(event.currentTarget.open)}>
              <summary className="more-fields">{baseTexts.more}</summary>
              <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
                <Settings form={form} of={of} readOnly={readOnly} />
              </div>
            </details>
          ) : (
            <Settings form={form} of={of} readOnly={readOnly} />
          )}
          {formFault !== null && <Fault text={formFault} />}
        </div>
        <footer className="dialog-foot">
          {of === null && <p className="text-xs soft me-auto max-sm:hidden">{collectionsTexts.scannedWhenMade}</p>}
          {onDelete !== undefined && !readOnly && (
            <Button
              look="ghost"
              className="text-error me-auto -ms-3"
              text={collectionsTexts.delete}
              onClick={onDelete}
            />
          )}
          {readOnly && <p className="text-xs soft me-auto">{collectionsTexts.onlyGlobalAdminChanges}</p>}
          <Button
            look="ghost"
            className="ms-auto"
            text={readOnly ? baseTexts.close : baseTexts.cancel}
            disabled={busy}
            onClick={onClose}
          />
          {!readOnly && <Button type="submit" look="primary" text={baseTexts.save} disabled={!form.valid || busy} />}
        </footer>
      </form>
    </Modal>
  )
}
