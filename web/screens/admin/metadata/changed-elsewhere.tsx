/** Somebody else has saved this part meanwhile: what he wrote, and whose word is to count. */
import { useSignals } from '@preact/signals-react/runtime'
import { Users } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { draft, settle } from '../../../state/item-editor.ts'
import type { ItemForm } from '../../../state/item-form.ts'
import { isListPart } from '../../../state/item-merge.ts'

function textOf(part: keyof ItemForm, form: Partial<ItemForm>): string {
  if (part === 'place') {
    const { latitude = null, longitude = null, placeName = '' } = form.place ?? {}
    const at = latitude === null || longitude === null ? '' : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
    return [placeName, at].filter(text => text !== '').join(' · ')
  }
  if (part === 'boxes') return (form.boxes ?? []).map(({ name }) => name || 'Unnamed').join(', ')
  const value = form[part]
  return typeof value === 'string' ? value : (value ?? []).join(', ')
}

export function ChangedElsewhere({ part }: { part: keyof ItemForm }) {
  useSignals()
  const conflicts = draft.value?.conflicts ?? {}
  if (conflicts[part] === undefined) return null
  const text = textOf(part, conflicts)
  return (
    <div className="notice elsewhere" role="alert">
      <Users size={18} aria-hidden="true" />
      <div className="min-w-0 grid gap-2">
        <p>
          Changed elsewhere meanwhile:{' '}
          {text === '' ? (
            'now it is empty'
          ) : (
            <b dir="auto" className="font-semibold wrap-anywhere">
              {text}
            </b>
          )}
        </p>
        <p className="flex flex-wrap gap-2">
          <Button look="quiet" small text="Keep mine" onClick={() => settle(part, 'mine')} />
          <Button look="quiet" small text="Take theirs" onClick={() => settle(part, 'theirs')} />
          {isListPart(part) && <Button look="quiet" small text="Keep both" onClick={() => settle(part, 'both')} />}
        </p>
      </div>
    </div>
  )
}
