/** Item Bulk Tag: applies the chosen fields to every selected item. */
import { useSignals } from '@preact/signals-react/runtime'
import { useId } from 'react'
import { personNames, words } from '../../app/vocabulary.ts'
import { ItemPreview } from '../../items/pictures/item-preview.tsx'
import { selected } from '../../items/selection/selection.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/form/select.tsx'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { tagNames } from '../../texts/names.ts'
import { ItemTable } from '../item-table.tsx'
import { TagPicker } from './tag-picker.tsx'
import { bulkLines, bulkModes, bulkTags, modeNames, type BulkTag as Tag } from './tag-plan.ts'
import { pointAt, previewedItem } from './tag-preview.ts'
import { bulkFault, bulkForm, setBulkField, startBulkTag } from './tagging-state.ts'

function Row({ tag }: { tag: Tag }) {
  useSignals()
  const { mode, picked } = bulkForm.value[tag]
  return (
    <div className="bulk-row">
      <Select
        aria-label={taggingTexts.whatIsDoneWith({ tag: tagNames[tag] })}
        value={mode}
        choices={bulkModes.map(one => ({ value: one, text: modeNames[one] }))}
        onChoose={chosen => setBulkField(tag, { mode: bulkModes.find(one => one === chosen) ?? 'Add' })}
      />
      <TagPicker
        label={tagNames[tag]}
        known={tag === 'People' ? personNames.value : words[tag].value}
        picked={mode === 'Clear' ? [] : picked}
        free={tag !== 'People' && mode !== 'Remove'}
        disabled={mode === 'Clear'}
        placeholder={
          mode === 'Clear'
            ? taggingTexts.allAreRemoved
            : tag === 'People'
              ? taggingTexts.threeLettersShowNames
              : undefined
        }
        onChange={next => setBulkField(tag, { picked: next })}
      />
    </div>
  )
}

function Plan() {
  useSignals()
  const hint = useId()
  const lines = bulkLines(bulkForm.value)
  const count = selected.value.size
  return (
    <>
      {lines.length > 0 && (
        <div className="tag-plan">
          <p>{count === 0 ? taggingTexts.inTheSelectedItems : taggingTexts.inTheSelectedItemsWithCount({ count })}</p>
          <ul>
            {lines.map(line => (
              <li key={line} className="soft" dir="auto">
                {line}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex items-center gap-4 flex-wrap">
        <Button
          look="primary"
          text={taggingTexts.bulkTag}
          disabled={bulkFault.value !== ''}
          aria-describedby={hint}
          onClick={() => void startBulkTag()}
        />
        <p id={hint} className="soft text-xs">
          {bulkFault.value || taggingTexts.undoInJobs}
        </p>
      </div>
    </>
  )
}

export function BulkTag() {
  useSignals()
  return (
    <>
      <div className="tag-form">
        <ItemPreview item={previewedItem.value} />
        <div className="tag-fields">
          {bulkTags.map(tag => (
            <Row key={tag} tag={tag} />
          ))}
          <Plan />
        </div>
      </div>
      <ItemTable onPoint={pointAt} />
    </>
  )
}
