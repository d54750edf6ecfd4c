/** Dialogs that rename a keyword, or merge it into another. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useState } from 'react'
import { tooLong } from '../../../schema/api/contract.ts'
import type { Keystring } from '../../../schema/api/keystrings.ts'
import { plural } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { globalAdmin } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/form/field.tsx'
import { SaveFoot } from '../../kit/form/save-foot.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { isLong } from '../../kit/words.ts'
import { keystrings, mergeKeystrings, namesake, saveKeystring } from './keystring-options.ts'
import { TagPicker } from './tag-picker.tsx'
import type { Picked } from './tag-plan.ts'

export function RenameKeystring({ of, onClose, onMerge }: { of: Keystring; onClose: () => void; onMerge: () => void }) {
  useSignals()
  const [name, setName] = useState(of.content)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const text = name.trim()
  const other = namesake(of.id, text)
  const taken = other === null ? undefined : `${other.content} is there already.`
  const long = isLong(text) ? tooLong('Keywords', limits.keystringLength) : undefined
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (text === of.content) return onClose()
    setBusy(true)
    const wrong = await saveKeystring(of.id, { content: text })
    if (wrong === '') return onClose()
    setFault(wrong)
    setBusy(false)
  }
  return (
    <Modal title="Rename" onClose={onClose} busy={busy}>
      <form onSubmit={event => void save(event)}>
        <div className="px-6 pt-2 pb-2">
          <Field
            label="Keyword"
            dir="auto"
            value={name}
            data-autofocus
            hint={`On ${plural(of.itemcount, 'item')}`}
            fault={fault ?? long ?? taken}
            onChange={event => {
              setName(event.target.value)
              setFault(undefined)
            }}
          />
        </div>
        <SaveFoot
          action="Rename"
          busy={busy}
          disabled={text === '' || long !== undefined || other !== null}
          onCancel={onClose}
        >
          {other !== null && globalAdmin.value && (
            <Button look="ghost" className="me-auto -ms-4" text="Merge instead" onClick={onMerge} />
          )}
        </SaveFoot>
      </form>
    </Modal>
  )
}

export function MergeKeystring({ of, onClose }: { of: Keystring; onClose: () => void }) {
  useSignals()
  const [picked, setPicked] = useState<readonly Picked[]>([])
  const others = (keystrings.value ?? []).filter(({ id }) => id !== of.id)
  const into = others.find(({ id }) => id === picked[0]?.id) ?? null
  return (
    <Confirm
      title="Merge"
      action="Merge"
      danger={false}
      disabled={into === null}
      onConfirm={async () => into !== null && mergeKeystrings(into, of)}
      onClose={onClose}
    >
      <div className="grid min-h-64 content-between">
        <TagPicker
          label={`${of.content} becomes`}
          known={others.map(({ id, content, itemcount }) => ({
            kind: 'Keywords',
            id,
            name: content,
            count: itemcount,
          }))}
          picked={picked}
          free={false}
          placeholder="Three letters show keywords"
          // Only one: the newest replaces the previous one.
          onChange={next => setPicked(next.slice(-1))}
        />
        <p className="soft min-h-10" dir="auto">
          {into !== null &&
            `${plural(of.itemcount, 'item')} of ${of.content} ${of.itemcount === 1 ? 'gets' : 'get'} ${into.content} instead, and ${of.content} goes. This can be undone.`}
        </p>
      </div>
    </Confirm>
  )
}
