/** Chips of the present filter: groups joined by 'or', a query, a place; on a phone also collection and date. */
import { useSignals } from '@preact/signals-react/runtime'
import { CalendarDays, FolderClosed, MapPin, Minus, Package, SquareFunction, User } from 'lucide-react'
import { Fragment, type KeyboardEvent } from 'react'
import { currentCollection } from '../app/collections.ts'
import { filter, setFilter } from '../app/current-filter.ts'
import { openLocation } from '../app/dialogs.ts'
import type { ChipEntry, ChipKind } from '../app/filter.ts'
import { Button } from '../kit/button.tsx'
import { Chip } from '../kit/chip.tsx'
import { searchTexts } from '../texts/search.ts'
import type { ChipPosition } from './filter-groups.ts'
import { distanceText, placeText } from './location-text.ts'
import { filterDateText } from './no-items.ts'
import {
  announcement,
  editQuery,
  isEditingQuery,
  moveEntry,
  openNewGroup,
  opensNewGroup,
  queryFault,
  removeEntry,
  toggleEntry,
} from './search.ts'
import { useChipDrag } from './use-chip-drag.ts'

const icons: Record<ChipKind, typeof User | null> = { Keyword: null, Person: User, Object: Package }

function nameOf({ kind, id, text }: ChipEntry): string {
  return text === '' ? `${kind} ${id}` : text
}

/** Focuses the chip at `position` ('GROUP INDEX') or, without one, the search field. */
function focusChip(root: Element | null | undefined, position: string | null): void {
  requestAnimationFrame(() => {
    const chip = position === null ? null : root?.querySelector<HTMLElement>(`[data-position="${position}"] .chip-text`)
    const field =
      root?.querySelector<HTMLElement>('[data-search]') ?? document.querySelector<HTMLElement>('[data-search]')
    ;(chip ?? field)?.focus()
  })
}

function rootOf(element: Element): Element | null {
  return element.closest('[data-search-area]')
}

/** Arrow keys move the focus between chips; with Alt they move the chip to the next group. Delete removes the chip. */
function onChipKey(event: KeyboardEvent<HTMLElement>, position: ChipPosition): void {
  const { key, altKey, currentTarget } = event
  const root = rootOf(currentTarget)
  const backwards = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  if (key === 'Delete' || key === 'Backspace') {
    removeEntry(position)
    focusChip(root, position.at > 0 ? `${position.group} ${position.at - 1}` : `${position.group} 0`)
  } else if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const step = key === backwards ? -1 : 1
    if (altKey) {
      const now = moveEntry(position, position.group + step)
      if (now !== null) focusChip(root, `${now.group} ${now.at}`)
    } else {
      const texts = [...(root?.querySelectorAll<HTMLElement>('.chip-text, [data-search]') ?? [])]
      const at = texts.findIndex(one => currentTarget.contains(one))
      texts[at + step]?.focus()
    }
  } else return
  event.preventDefault()
  event.stopPropagation()
}

function EntryChip({
  entry,
  position,
  drag,
}: {
  entry: ChipEntry
  position: ChipPosition
  drag: ReturnType<typeof useChipDrag>
}) {
  const name = nameOf(entry)
  const Icon = entry.not ? Minus : icons[entry.kind]
  return (
    <Chip
      text={name}
      icon={Icon !== null && <Icon size={14} className="shrink-0" />}
      not={entry.not}
      pressed={entry.not}
      label={entry.not ? searchTexts.not({ name }) : name}
      title={entry.not ? searchTexts.excludedChip({ name }) : searchTexts.includedChip({ name })}
      shortcuts="Delete Alt+ArrowLeft Alt+ArrowRight"
      position={`${position.group} ${position.at}`}
      onPress={() => toggleEntry(position)}
      onRemove={() => removeEntry(position)}
      onKeyDown={event => onChipKey(event, position)}
      onPointerDown={event => drag.begin(event, position)}
    />
  )
}

function Groups() {
  useSignals()
  const drag = useChipDrag()
  const { groups } = filter.value
  const several = groups.length > 1 || opensNewGroup.value
  return (
    <>
      {groups.map((group, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is identified by its position
        <Fragment key={number}>
          {number > 0 && <span className="chip-joint">{searchTexts.orLower}</span>}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line */}
          <span
            role="group"
            aria-label={
              several ? searchTexts.groupTitle({ number: number + 1, total: groups.length }) : searchTexts.searchedFor
            }
            className="chip-group"
            data-several={several}
            data-group={number}
            data-over={drag.over === number && drag.dragged?.group !== number}
          >
            {group.map((entry, at) => (
              <EntryChip
                key={`${entry.kind} ${entry.id} ${entry.text}`}
                entry={entry}
                position={{ group: number, at }}
                drag={drag}
              />
            ))}
          </span>
        </Fragment>
      ))}
      {groups.length > 0 && opensNewGroup.value && <span className="chip-joint">{searchTexts.orLower}</span>}
      {groups.length > 0 && !opensNewGroup.value && (
        <Button
          className="chip-or"
          text={searchTexts.orLower}
          data-group={groups.length}
          data-over={drag.over === groups.length}
          data-dragging={drag.dragged !== null}
          aria-label={searchTexts.orBeginAnotherGroup}
          title={searchTexts.orHint}
          onClick={event => {
            openNewGroup()
            focusChip(rootOf(event.currentTarget), null)
          }}
        />
      )}
    </>
  )
}

function QueryChip() {
  useSignals()
  const { q, groups } = filter.value
  if (q === '' || isEditingQuery.value) return null
  return (
    <>
      <Chip
        text={q}
        icon={<SquareFunction size={14} className="shrink-0" />}
        not={queryFault.value !== null}
        label={searchTexts.queryChangeIt({ query: q })}
        title={searchTexts.changeQueryHint({ query: q })}
        onPress={() => {
          editQuery()
          requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-search]')?.focus())
        }}
        onRemove={() => setFilter({ q: '' })}
      />
      {groups.length > 0 && <span className="chip-joint">{searchTexts.and}</span>}
    </>
  )
}

function PlaceChip() {
  useSignals()
  const { near } = filter.value
  if (near === null) return null
  const distance = distanceText(near.radius)
  const text =
    near.name === undefined
      ? searchTexts.within({ distance })
      : searchTexts.distanceAround({ distance, name: near.name })
  const whole = searchTexts.withinOf({ distance, place: placeText(near) })
  return (
    <Chip
      text={text}
      icon={<MapPin size={14} className="shrink-0" />}
      label={near.name === undefined ? searchTexts.changeIt({ text: whole }) : searchTexts.changeIt({ text })}
      title={searchTexts.changeHint({ text: whole })}
      onPress={() => openLocation()}
      onRemove={() => setFilter({ near: null })}
    />
  )
}

/** Chips for collection and date. */
export function FacetChips() {
  useSignals()
  const date = filterDateText(filter.value)
  const collection = currentCollection.value
  return (
    <>
      {collection !== null && (
        <Chip
          text={collection.name}
          icon={<FolderClosed size={14} className="shrink-0" />}
          label={searchTexts.collectionShowAll({ name: collection.name })}
          title={searchTexts.onlyCollection({ name: collection.name })}
          onPress={() => setFilter({ collection: 0 })}
          onRemove={() => setFilter({ collection: 0 })}
        />
      )}
      {date !== null && (
        <Chip
          text={date}
          icon={<CalendarDays size={14} className="shrink-0" />}
          label={searchTexts.showEveryDate({ date })}
          title={searchTexts.onlyDate({ date })}
          onPress={() => setFilter({ year: null, month: null })}
          onRemove={() => setFilter({ year: null, month: null })}
        />
      )}
    </>
  )
}

/** Chips for place, query and groups. */
export function Chips() {
  useSignals()
  return (
    <>
      <PlaceChip />
      <QueryChip />
      <Groups />
      <span className="sr-only" aria-live="polite">
        {announcement.value}
      </span>
    </>
  )
}
