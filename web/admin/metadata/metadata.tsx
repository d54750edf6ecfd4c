/** Item Metadata: editing the metadata of one or several pictures. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronLeft, ChevronRight, Pencil, RotateCcw, RotateCw, ScanFace, Trash2, Undo2 } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { pictureOf } from '../../api.ts'
import { homeAddress } from '../../app/current-filter.ts'
import { mayUpdate } from '../../app/rights.ts'
import { signedIn, user } from '../../app/session.ts'
import { editedId, editedIds, editedPosition, editItem } from '../../items/edited-items.ts'
import { askDelete } from '../../items/selection/recycling.ts'
import { Button } from '../../kit/button.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useSlow } from '../../kit/time/use-slow.ts'
import { TryAgain } from '../../kit/try-again.tsx'
import { listText } from '../../kit/words.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { boxBeingNamed, chosenBox } from './boxes/box-choice.ts'
import { ObjectDialog } from './boxes/object-dialog.tsx'
import { editedObject } from './boxes/objects.ts'
import { Details } from './details.tsx'
import { FaceSettings } from './faces/face-bar.tsx'
import { canFindFaces, faceRun, findFaces } from './faces/face-recognition.ts'
import { keepSuggestionsFresh } from './faces/face-suggestions.ts'
import {
  canRetryLoad,
  changeCount,
  draft,
  hasFaults,
  idsWithProposals,
  leaveEditor,
  loadEdited,
  loadFaultText,
  revert,
  startEditor,
  unsavedIds,
} from './item-editor.ts'
import { canSave, rotateEdited, saveAndNext, saveEdited } from './item-save.ts'
import { Location } from './location.tsx'
import { Stage } from './stage.tsx'

function Tool({
  label,
  icon,
  disabled = false,
  act,
  buttonRef,
}: {
  label: string
  icon: ReactNode
  disabled?: boolean
  act: () => void
  buttonRef?: RefObject<HTMLButtonElement | null>
}) {
  return (
    <button
      ref={buttonRef}
      type="button"
      className="editor-tool"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={act}
    >
      {icon}
      <span>{label}</span>
    </button>
  )
}

function placeText(): string {
  const { index, total, among } = editedPosition.value
  if (among === 'alone') return ''
  const done = index + 1
  return among === 'selected' ? metadataTexts.placeInSelection({ done, total }) : baseTexts.doneOfTotal({ done, total })
}

/** `onFaces` shows the details, where found faces are listed. */
function Toolbar({ onFaces }: { onFaces: () => void }) {
  useSignals()
  const now = draft.value
  const item = now?.item
  const editable = item !== undefined && mayUpdate(item)
  const canTurn = editable && item.type === 'image' && item.problem === null
  const faceTool = useRef<HTMLButtonElement>(null)
  const lookForFaces = () => {
    if (item === undefined) return
    onFaces()
    void findFaces([item.id])
  }
  return (
    <header className="editor-tools" data-theme="keepsake-dark">
      <div className="editor-name">
        <h1 className="font-semibold truncate" dir="auto" title={item?.path}>
          {item?.name ?? ' '}
        </h1>
        <span className="soft truncate">{placeText()}</span>
      </div>
      {canTurn && (
        <>
          <Tool
            label={baseTexts.rotateLeft}
            icon={<RotateCcw size={20} />}
            disabled={now?.saving}
            act={() => void rotateEdited('left')}
          />
          <Tool
            label={baseTexts.rotateRight}
            icon={<RotateCw size={20} />}
            disabled={now?.saving}
            act={() => void rotateEdited('right')}
          />
        </>
      )}
      {item !== undefined && canFindFaces(item) && (
        <Tool
          label={metadataTexts.faceRecognition}
          icon={<ScanFace size={20} />}
          disabled={now?.saving}
          act={lookForFaces}
          buttonRef={faceTool}
        />
      )}
      {/* Not shown while the face bar is open, because the bar has these settings, too. */}
      {item !== undefined && canFindFaces(item) && faceRun.value === null && (
        <FaceSettings
          lookText={adminTexts.lookForFaces}
          onLook={() => {
            // This button disappears when the face bar opens, so the focus moves.
            faceTool.current?.focus()
            lookForFaces()
          }}
        />
      )}
      {editable && <Tool label={baseTexts.delete} icon={<Trash2 size={20} />} act={() => askDelete([item])} />}
    </header>
  )
}

/** In a long row, about this many items before and after the edited one are rendered. */
const maxDistance = 200

function ItemRow() {
  useSignals()
  const ids = editedIds.value
  const ref = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the edited item, and a row that has become longer or shorter
  useEffect(() => {
    ref.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [editedId.value, ids.length])
  if (ids.length < 2) return null
  const first = Math.max(0, ids.indexOf(editedId.value ?? 0) - maxDistance)
  return (
    <nav ref={ref} className="editor-row" aria-label={metadataTexts.itemsToEdit}>
      {ids.slice(first, first + 2 * maxDistance).map((id, n) => {
        const at = first + n + 1
        const isUnsaved = unsavedIds.value.has(id)
        const faces = idsWithProposals.value.has(id)
        return (
          <button
            key={id}
            type="button"
            aria-current={id === editedId.value ? 'true' : undefined}
            aria-label={listText([
              metadataTexts.itemNumber({ number: at, total: ids.length }),
              ...(isUnsaved ? [metadataTexts.notSaved] : []),
              ...(faces ? [metadataTexts.facesWithoutNameLower] : []),
            ])}
            data-unsaved={isUnsaved ? '' : undefined}
            data-faces={faces ? '' : undefined}
            onClick={() => editItem(id)}
          >
            <img
              key={user.value?.id}
              src={pictureOf({ id, reloads: '' }, 'tiny')}
              alt=""
              loading="lazy"
              draggable={false}
              onError={({ currentTarget }) => {
                currentTarget.style.visibility = 'hidden'
              }}
              onLoad={({ currentTarget }) => {
                currentTarget.style.visibility = ''
              }}
            />
            {faces && <ScanFace size={16} aria-hidden="true" />}
          </button>
        )
      })}
    </nav>
  )
}

function Foot({ locked }: { locked: boolean }) {
  useSignals()
  const { previous, next, total } = editedPosition.value
  const count = changeCount.value
  const ready = canSave(draft.value) && !locked
  const blocked = hasFaults.value
  return (
    <footer className="editor-foot">
      {total > 1 ? (
        <>
          <IconButton
            icon={ChevronLeft}
            label={baseTexts.previous}
            disabled={previous === null}
            onClick={() => previous !== null && editItem(previous)}
          />
          <IconButton
            icon={ChevronRight}
            label={baseTexts.next}
            disabled={next === null}
            onClick={() => next !== null && editItem(next)}
          />
        </>
      ) : (
        <Button look="ghost" className="-ms-3" text={baseTexts.close} onClick={leaveEditor} />
      )}
      <span className="ms-auto" />
      <IconButton icon={Undo2} label={metadataTexts.revert} disabled={count === 0} onClick={revert} />
      <Button
        type="submit"
        className={`btn ${next === null ? 'btn-primary' : 'btn-quiet'}`}
        text={baseTexts.save}
        disabled={!ready}
      />
      {next !== null && (
        <Button look="primary" text={metadataTexts.saveAndNext} disabled={locked || blocked} onClick={saveAndNext} />
      )}
    </footer>
  )
}

function NothingToEdit() {
  useSignals()
  return (
    <div className="page-screen grid place-items-center text-center">
      <div className="grid justify-items-center gap-3">
        <Pencil size={40} strokeWidth={1.25} className="soft" aria-hidden="true" />
        <h1 className="text-xl font-semibold">{baseTexts.itemMetadata}</h1>
        <p className="soft max-w-[360px] text-balance">{metadataTexts.nothingToEditHint}</p>
        <Link href={homeAddress.value} className="btn btn-quiet">
          {metadataTexts.toTheGallery}
        </Link>
      </div>
    </div>
  )
}

function statusText(): string {
  const count = changeCount.value
  if (count > 0) return baseTexts.changeCount({ count })
  return draft.value?.saving === true ? metadataTexts.saving : ''
}

/** Placeholders of the fields, while the item loads slowly. */
function Placeholders() {
  return (
    <div className="grid gap-6" role="status" aria-label={baseTexts.loading}>
      {[36, 96, 36, 36, 64].map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons without content
        <div key={at} className="grid gap-2">
          <i className="table-bar" style={{ width: '28%' }} />
          <i className="rounded-field bg-base-300 block" style={{ height }} />
        </div>
      ))}
    </div>
  )
}

const tabs = { Details: baseTexts.details, Location: baseTexts.location }

export function ItemMetadata() {
  useSignals()
  const [tab, setTab] = useState<keyof typeof tabs>('Details')
  const [id, signed] = [editedId.value, signedIn.value]
  useEffect(startEditor, [])
  useEffect(keepSuggestionsFresh, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads for another item, and at login and logout
  useEffect(() => {
    chosenBox.value = null
    boxBeingNamed.value = null
    editedObject.value = null
    void loadEdited()
  }, [id, signed])
  const slow = useSlow(id !== null && draft.value === null && loadFaultText.value === null)
  if (id === null) return <NothingToEdit />
  const now = draft.value
  const locked = now === null || !mayUpdate(now.item)
  return (
    <div className="editor">
      <div className="editor-left">
        <Toolbar onFaces={() => setTab('Details')} />
        <Stage />
        <ItemRow />
      </div>
      <form
        className="editor-form"
        onSubmit={event => {
          event.preventDefault()
          void saveEdited()
        }}
      >
        <div className="editor-fields">
          <span className="editor-status soft text-xs" role="status">
            {statusText()}
          </span>
          <Tabs label={metadataTexts.metadata} names={tabs} value={tab} onChange={setTab}>
            {slow && <Placeholders />}
            {loadFaultText.value !== null && (
              <p className="soft mb-4 flex flex-wrap items-center gap-3">
                {loadFaultText.value}
                {canRetryLoad.value && <TryAgain again={loadEdited} />}
              </p>
            )}
            {now !== null && locked && <p className="soft mb-4">{metadataTexts.viewOnly}</p>}
            {tab === 'Details' ? <Details locked={locked} /> : <Location locked={locked} />}
          </Tabs>
        </div>
        <Foot locked={locked} />
      </form>
      {editedObject.value !== null && <ObjectDialog key={editedObject.value} id={editedObject.value} />}
    </div>
  )
}
