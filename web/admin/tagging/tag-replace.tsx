/** Item Tag Replace: replaces a tag in the category, the keywords or both, of every selected item. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowRight } from 'lucide-react'
import { useId, useState } from 'react'
import { words } from '../../app/vocabulary.ts'
import { ItemPreview } from '../../items/pictures/item-preview.tsx'
import { selected } from '../../items/selection/selection.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { Switch } from '../../kit/switch.tsx'
import { listText, wordKey } from '../../kit/words.ts'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { ItemTable } from '../item-table.tsx'
import { TagPicker } from './tag-picker.tsx'
import { type PickedTag, replaceText } from './tag-plan.ts'
import { pointAt, previewedItem } from './tag-preview.ts'
import { replacement, replacementCounts, replacementFault, setReplacement, startReplacing } from './tagging-state.ts'

const names = (picked: readonly PickedTag[]) => listText(picked.map(({ name }) => name))

function Plan() {
  useSignals()
  const { from, to } = replacement.value
  if (from.length === 0 || to.length === 0 || selected.value.size === 0) return null
  return (
    <div className="tag-plan">
      <p dir="auto">
        {taggingTexts.replacePlan({
          count: selected.value.size,
          from: <b className="font-semibold">{names(from)}</b>,
          to: <b className="font-semibold">{names(to)}</b>,
        })}
      </p>
      <p className="soft">{replaceText(replacementCounts.value)}</p>
    </div>
  )
}

/** Asks for confirmation before tags are replaced. */
function ReplaceConfirmation({ onClose }: { onClose: () => void }) {
  useSignals()
  const { from, to } = replacement.value
  const chips = (picked: readonly PickedTag[]) =>
    picked.map(({ id, name }) => (
      <span key={`${id} ${name}`} className="word truncate" dir="auto">
        {name}
      </span>
    ))
  return (
    <Confirm
      title={taggingTexts.startReplacingTags}
      action={taggingTexts.bulkTag}
      danger={false}
      onClose={onClose}
      onConfirm={() => {
        void startReplacing()
        return Promise.resolve(true)
      }}
    >
      <p>{taggingTexts.replaceQuestion({ count: selected.value.size })}</p>
      <p className="flex items-center gap-2.5 mt-3 min-w-0 flex-wrap">
        {chips(from)}
        <ArrowRight size={16} className="soft shrink-0" aria-label={taggingTexts.becomesLower} />
        {chips(to)}
      </p>
    </Confirm>
  )
}

export function TagReplace() {
  useSignals()
  const hint = useId()
  const [asking, setAsking] = useState(false)
  const { from, to, category, keywords } = replacement.value
  const known = [...(category ? words.Category.value : []), ...(keywords ? words.Keywords.value : [])]
  const old = new Set(from.map(({ name }) => wordKey(name)))
  const fault = replacementFault.value
  return (
    <>
      <div className="tag-form">
        <ItemPreview item={previewedItem.value} />
        <div className="tag-fields">
          <div className="tag-pair">
            <TagPicker
              label={taggingTexts.replaceTag}
              known={known}
              picked={from}
              free
              onChange={next => setReplacement({ from: next })}
            />
            <TagPicker
              label={taggingTexts.withTag}
              known={known}
              picked={to}
              free
              onChange={next => setReplacement({ to: next })}
            />
          </div>
          <div className="flex gap-8">
            <Switch label={baseTexts.category} checked={category} onChange={on => setReplacement({ category: on })} />
            <Switch label={baseTexts.keywords} checked={keywords} onChange={on => setReplacement({ keywords: on })} />
          </div>
          <Plan />
          <div className="flex items-center gap-4 flex-wrap">
            <Button
              look="primary"
              text={adminTexts.replaceTag}
              disabled={fault !== ''}
              aria-describedby={hint}
              onClick={() => setAsking(true)}
            />
            <p id={hint} className="soft text-xs">
              {fault || taggingTexts.undoInJobs}
            </p>
          </div>
        </div>
      </div>
      <ItemTable
        onPoint={pointAt}
        isMarked={(tag, word) => (tag === 'Category' ? category : keywords) && old.has(wordKey(word))}
      />
      {asking && <ReplaceConfirmation onClose={() => setAsking(false)} />}
    </>
  )
}
