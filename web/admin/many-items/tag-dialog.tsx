/** Tags many items: keywords, people and categories are added or removed, rating and description are replaced. */
import { useSignals } from '@preact/signals-react/runtime'
import { Plus, Undo2, X } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { closeDialog } from '../../app/dialogs.ts'
import { personNames, words } from '../../app/vocabulary.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/form/select.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { useBusy } from '../../kit/use-busy.ts'
import { listText } from '../../kit/words.ts'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { baseTexts } from '../../texts/base.ts'
import { manyTexts } from '../../texts/many-items.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { tagNames } from '../../texts/names.ts'
import { TagPicker } from '../tagging/tag-picker.tsx'
import { changeMany } from './change-many.ts'
import { ManyFoot } from './many-foot.tsx'
import { Strip } from './strip.tsx'
import {
  changesOf,
  countChanges,
  emptyTagForm,
  type ListEdit,
  type ListTag,
  listTags,
  type ShownTag,
  shownTags,
  type TagForm,
  tagEntriesOf,
  withAdded,
  withRemoved,
  withReverted,
} from './tag-form.ts'

const addTexts: Readonly<Record<ListTag, string>> = {
  Keywords: manyTexts.addKeywords,
  People: manyTexts.addPeople,
  Category: manyTexts.addCategories,
}

interface ChipActions {
  onAdd: () => void
  onRemove: () => void
  onRevert: () => void
}

/** A tag: filled if it is on all items, outlined if only on some, struck through if it will be removed. */
function TagChip({ tag, onAdd, onRemove, onRevert }: { tag: ShownTag } & ChipActions) {
  const { name, state, count } = tag
  const note = state === 'new' ? manyTexts.new : state === 'some' ? manyTexts.onCount({ number: count }) : ''
  const acts = {
    all: [{ label: manyTexts.removeFromAll, icon: X, act: onRemove }],
    some: [
      { label: manyTexts.addToAll, icon: Plus, act: onAdd },
      { label: manyTexts.removeFromAll, icon: X, act: onRemove },
    ],
    new: [{ label: manyTexts.removeFromAll, icon: X, act: onRevert }],
    removed: [{ label: manyTexts.takeBack, icon: Undo2, act: onRevert }],
  }[state]
  return (
    <li className={`chip many-chip ${state === 'removed' ? 'chip-not' : ''}`} data-state={state}>
      <span className="truncate" dir="auto">
        {name}
      </span>
      {note !== '' && <span className="soft text-xs">{note}</span>}
      {acts.map(({ label, icon: Icon, act }) => (
        <button key={label({ name })} type="button" aria-label={label({ name })} title={label({ name })} onClick={act}>
          <Icon size={14} />
        </button>
      ))}
    </li>
  )
}

function Chips({
  head,
  tags,
  acts,
}: {
  head: string
  tags: readonly ShownTag[]
  acts: (tag: ShownTag) => ChipActions
}) {
  const id = useId()
  if (tags.length === 0) return null
  return (
    <div className="grid gap-2">
      <p id={id} className="text-xs font-semibold soft">
        {head}
      </p>
      <ul className="many-chips" aria-labelledby={id}>
        {tags.map(tag => (
          <TagChip key={`${tag.id} ${tag.name}`} tag={tag} {...acts(tag)} />
        ))}
      </ul>
    </div>
  )
}

function ListPart({
  tag,
  items,
  edit,
  onChange,
}: {
  tag: ListTag
  items: readonly Item[]
  edit: ListEdit
  onChange: (edit: ListEdit) => void
}) {
  useSignals()
  const entries = useMemo(() => tagEntriesOf(items, tag), [items, tag])
  const shown = shownTags(entries, edit, items.length)
  const isOnAll = ({ state, count }: ShownTag) => state === 'new' || count === items.length
  const acts = (one: ShownTag): ChipActions => ({
    onAdd: () => onChange(withAdded(edit, entries, items.length, one)),
    onRemove: () => onChange(withRemoved(edit, one.id)),
    onRevert: () => onChange(withReverted(edit, one)),
  })
  const left = entries.filter(({ id }) => !edit.removed.includes(id))
  return (
    <>
      <Chips head={manyTexts.onAll} tags={shown.filter(isOnAll)} acts={acts} />
      <Chips head={manyTexts.onSome} tags={shown.filter(one => !isOnAll(one))} acts={acts} />
      <TagPicker
        key={tag}
        label={addTexts[tag]}
        known={tag === 'People' ? personNames.value : words[tag].value}
        picked={[]}
        free={tag !== 'People'}
        placeholder={tag === 'People' ? taggingTexts.threeLettersShowNames : undefined}
        onChange={picked => onChange(picked.reduce((now, one) => withAdded(now, entries, items.length, one), edit))}
      />
      {left.length > 1 && (
        <Button
          look="link"
          className="justify-self-start -mt-4 -ms-1.5"
          text={manyTexts.removeAllOfThem}
          onClick={() => onChange(left.reduce((now, { id }) => withRemoved(now, id), edit))}
        />
      )}
    </>
  )
}

const descriptionModes = ['unchanged', 'replace', 'remove'] as const
const descriptionTexts = {
  unchanged: manyTexts.unchanged,
  replace: manyTexts.replaced,
  remove: baseTexts.remove,
} as const

function OtherPart({ form, onChange }: { form: TagForm; onChange: (change: Partial<TagForm>) => void }) {
  const id = useId()
  const [mode, setMode] = useState<(typeof descriptionModes)[number]>('unchanged')
  const ratings = [0, 1, 2, 3, 4, 5].map(value => ({
    value,
    text: value === 0 ? baseTexts.noStars : baseTexts.starCount({ count: value }),
  }))
  return (
    <>
      <div className="field">
        <span>
          <label htmlFor={id}>{manyTexts.rating}</label>
        </span>
        <Select
          id={id}
          value={form.rating ?? ''}
          choices={[{ value: '', text: manyTexts.unchanged }, ...ratings]}
          onChoose={value => onChange({ rating: value === '' ? null : Number(value) })}
        />
      </div>
      <Segmented
        label={metadataTexts.description}
        choices={descriptionModes}
        value={mode}
        text={value => descriptionTexts[value]}
        onChange={next => {
          setMode(next)
          onChange({ description: next === 'remove' ? '' : null })
        }}
      />
      {mode === 'replace' && (
        <textarea
          className="textarea input h-auto py-2 min-h-20 leading-5 w-full -mt-2"
          aria-label={metadataTexts.description}
          dir="auto"
          rows={3}
          maxLength={20_000}
          value={form.description ?? ''}
          onChange={({ target }) => onChange({ description: target.value.trim() === '' ? null : target.value })}
        />
      )}
    </>
  )
}

const parts = [...listTags, 'Other'] as const
type Part = (typeof parts)[number]
const partName = (part: Part) => (part === 'Other' ? manyTexts.otherTags : tagNames[part])

/** The tags that the form adds, 'Sea, Sand'; '' if there are none, or too many for a message. */
function addedNames({ lists }: TagForm): string {
  const added = listTags.flatMap(tag => lists[tag].added.map(({ name }) => name))
  return added.length <= 3 ? listText(added) : ''
}

export function TagDialog({ items }: { items: readonly Item[] }) {
  const [part, setPart] = useState<Part>('Keywords')
  const [form, setForm] = useState<TagForm>(emptyTagForm)
  const { busy, run } = useBusy()
  const count = countChanges(form)
  const total = items.length
  async function save() {
    const names = addedNames(form)
    const done = (changed: number) => {
      const text = taggingTexts.itemTaggedCount({ count: changed })
      return names === '' ? text : `${text}: ${names}`
    }
    const words = { failure: taggingTexts.failedToTagItems, done }
    if ((await run(() => changeMany(items, changesOf(form), words))) === true) closeDialog()
  }
  return (
    <Modal title={manyTexts.tagItems({ count: total })} width={600} busy={busy} onClose={closeDialog}>
      <div className="px-6 pt-3 grid gap-5">
        <Strip items={items} />
        <Segmented
          label={manyTexts.tag}
          isLabelHidden
          choices={parts}
          value={part}
          text={partName}
          onChange={setPart}
        />
        {part === 'Other' ? (
          <OtherPart form={form} onChange={change => setForm(now => ({ ...now, ...change }))} />
        ) : (
          <ListPart
            tag={part}
            items={items}
            edit={form.lists[part]}
            onChange={edit => setForm(now => ({ ...now, lists: { ...now.lists, [part]: edit } }))}
          />
        )}
      </div>
      <ManyFoot
        hint={
          count === 0
            ? manyTexts.noChanges
            : manyTexts.changesInItems({ count, items: baseTexts.itemCount({ count: total }) })
        }
        action={manyTexts.tagItems({ count: total })}
        disabled={busy || count === 0}
        onAct={() => void save()}
      />
    </Modal>
  )
}
