/** Dialogs that rename a keyword, or merge it into another. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useState } from 'react'
import type { Keystring } from '../../../schema/api/keystrings.ts'
import { limits } from '../../../schema/limits.ts'
import { globalAdmin } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/form/field.tsx'
import { SaveFoot } from '../../kit/form/save-foot.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { isTooLong, tooLongText } from '../../kit/words.ts'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { keystrings, mergeKeystrings, namesake, saveKeystring } from './keystring-options.ts'
import { TagPicker } from './tag-picker.tsx'
import type { PickedTag } from './tag-plan.ts'

export function RenameKeystring({ of, onClose, onMerge }: { of: Keystring; onClose: () => void; onMerge: () => void }) {
  useSignals()
  const [name, setName] = useState(of.content)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const { busy, run } = useBusy()
  const text = name.trim()
  const other = namesake(of.id, text)
  const taken = other === null ? undefined : taggingTexts.isThereAlready({ name: other.content })
  const long = isTooLong(text) ? tooLongText(baseTexts.keywords, limits.keystringLength) : undefined
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = await run(async () => (text === of.content ? '' : saveKeystring(of.id, { content: text })))
    if (wrong === '') onClose()
    else if (wrong !== undefined) setFault(wrong)
  }
  return (
    <Modal title={baseTexts.rename} onClose={onClose} busy={busy}>
      <form onSubmit={event => void save(event)}>
        <div className="px-6 pt-2 pb-2">
          <Field
            label={taggingTexts.keyword}
            dir="auto"
            value={name}
            data-autofocus
            hint={taggingTexts.onItems({ count: of.itemcount })}
            fault={fault ?? long ?? taken}
            onChange={event => {
              setName(event.target.value)
              setFault(undefined)
            }}
          />
        </div>
        <SaveFoot
          action={baseTexts.rename}
          busy={busy}
          disabled={text === '' || long !== undefined || other !== null}
          onCancel={onClose}
        >
          {other !== null && globalAdmin.value && (
            <Button look="ghost" className="me-auto -ms-4" text={taggingTexts.mergeInstead} onClick={onMerge} />
          )}
        </SaveFoot>
      </form>
    </Modal>
  )
}

export function MergeKeystring({ of, onClose }: { of: Keystring; onClose: () => void }) {
  useSignals()
  const [picked, setPicked] = useState<readonly PickedTag[]>([])
  const others = (keystrings.value ?? []).filter(({ id }) => id !== of.id)
  const into = others.find(({ id }) => id === picked[0]?.id) ?? null
  return (
    <Confirm
      title={adminTexts.merge}
      action={adminTexts.merge}
      danger={false}
      disabled={into === null}
      onConfirm={async () => into !== null && mergeKeystrings(into, of)}
      onClose={onClose}
    >
      <div className="grid min-h-64 content-between">
        <TagPicker
          label={taggingTexts.becomes({ name: of.content })}
          known={others.map(({ id, content, itemcount }) => ({
            kind: 'Keywords',
            id,
            name: content,
            count: itemcount,
          }))}
          picked={picked}
          free={false}
          placeholder={taggingTexts.threeLettersShowKeywords}
          // Only one keyword: the newest replaces the previous one.
          onChange={next => setPicked(next.slice(-1))}
        />
        <p className="soft min-h-10" dir="auto">
          {into !== null &&
            taggingTexts.mergeKeywordHint({ count: of.itemcount, from: of.content, into: into.content })}
        </p>
      </div>
    </Confirm>
  )
}
