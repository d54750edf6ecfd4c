/** A group of unnamed faces: its faces, suggestions, and actions. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronsUp, EyeOff, ListChecks, type LucideIcon, Split, Undo2 } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import type { FaceGroup as Group } from '../../../schema/api/faces.ts'
import { figure, percentText } from '../../../schema/figures.ts'
import { openOneOf } from '../../items/open-item.ts'
import { localNow } from '../../people/person-names.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { peopleTexts } from '../../texts/people.ts'
import { nameOnPictures } from './face-group-text.ts'
import {
  chooseGroup,
  chosenGroups,
  groupNotes,
  namesOfPerson,
  openedGroups,
  openGroup,
  tick,
  tickAll,
  tickedCount,
  tickedFaces,
  untickedFaces,
} from './face-groups.ts'
import { busyGroups, ignoreGroup, nameFaces, splitGroup } from './face-naming.ts'
import { FoundFace } from './found-face.tsx'
import { PersonField } from './person-field.tsx'

const suggestionsShown = 3

/** Arrow keys move between the faces; Enter opens the focused face's picture. */
function useFaceKeys(count: number, onOpen: (at: number) => void) {
  const [tabStop, setTabStop] = useState(0)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key } = event
    if (!(target instanceof HTMLInputElement) || event.metaKey || event.ctrlKey || event.altKey) return
    const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>('[data-face]')]
    const at = boxes.indexOf(target)
    if (at === -1) return
    const forward = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1
    const next = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: boxes.length - 1 }[key]
    if (key === 'Enter') onOpen(at)
    else if (next === undefined) return
    else boxes[Math.min(Math.max(next, 0), boxes.length - 1)]?.focus()
    event.preventDefault()
  }
  return {
    tabStop: Math.min(tabStop, Math.max(0, count - 1)),
    onKeyDown,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      const at = [...currentTarget.querySelectorAll('[data-face]')].indexOf(target)
      if (at !== -1) setTabStop(at)
    },
  }
}

function Faces({ group }: { group: Group }) {
  useSignals()
  const { faces, count } = group
  const open = (at: number) => {
    // Two faces may be in the same picture.
    const ids = [...new Set(faces.map(({ item }) => item.id))]
    openOneOf(ids, ids.indexOf(faces[at]?.item.id ?? 0))
  }
  const { tabStop, onKeyDown, onFocus } = useFaceKeys(faces.length, open)
  const isOpened = openedGroups.value.has(group.id)
  const more = count - faces.length
  return (
    <ul
      className="found-faces"
      aria-label={peopleTexts.faces}
      data-stop="faces"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {faces.map((face, at) => (
        <FoundFace
          key={face.id}
          face={face}
          ticked={!untickedFaces.value.has(face.id)}
          isTabStop={at === tabStop}
          onTick={on => tick(face.id, on)}
          onOpen={() => open(at)}
        />
      ))}
      {isOpened && more > 0 && <li className="found-face-more soft">{peopleTexts.moreCount({ count: more })}</li>}
      {!isOpened && more > 0 && (
        <li>
          <button
            type="button"
            className="found-face-more"
            title={peopleTexts.showAll({ count })}
            onClick={() => void openGroup(group, true)}
          >
            <span aria-hidden="true">+{figure(more)}</span>
            <span className="sr-only">{peopleTexts.showAll({ count })}</span>
          </button>
        </li>
      )}
    </ul>
  )
}

/** Chooses the person: a suggestion, or any name. */
function Naming({ group, onName }: { group: Group; onName: (who: { person: number; name: string }) => void }) {
  useSignals()
  const count = tickedCount(group)
  const taken = tickedFaces(group).map(({ item }) => item.taken)
  const now = localNow()
  if (count === 0) return <p className="soft grow">{peopleTexts.tickTheFaces}</p>
  const countedFaces = baseTexts.faceCount({ count })
  return (
    <>
      {group.suggestions.slice(0, suggestionsShown).map(({ person, similarity, matches }) => {
        const name = nameOnPictures(namesOfPerson(person), taken, now)
        const percent = percentText(similarity)
        return (
          <button
            key={person}
            type="button"
            className="btn btn-quiet btn-sm"
            title={peopleTexts.suggestionTitle({ percent, count: matches, name, countedFaces })}
            onClick={() => onName({ person, name })}
          >
            <bdi className="truncate">{name}</bdi>{' '}
            <span className="soft">
              {percent}
              <span className="sr-only">{peopleTexts.nameFaces({ countedFaces })}</span>
            </span>
          </button>
        )
      })}
      <PersonField
        label={peopleTexts.name({ countedFaces })}
        placeholder={count === 1 ? peopleTexts.whoIsIt : peopleTexts.nameThese({ countedFaces })}
        onPick={onName}
      />
    </>
  )
}

/** A button that shows only its icon on a phone, so that nothing moves when another button appears beside it. */
function HeadAction({
  icon: Icon,
  text,
  title = text,
  onClick,
}: {
  icon: LucideIcon
  text: string
  title?: string
  onClick: () => void
}) {
  return (
    <button type="button" className="btn btn-ghost btn-sm" title={title} onClick={onClick}>
      <Icon size={18} aria-hidden="true" />
      <span className="max-sm:sr-only">{text}</span>
    </button>
  )
}

export function FaceGroup({ group }: { group: Group }) {
  useSignals()
  const { id, count, ignored, faces } = group
  const ticked = tickedCount(group)
  const untickedCount = faces.length - tickedFaces(group).length
  const note = groupNotes.value.get(id) ?? ''
  const isOpened = openedGroups.value.has(id)
  return (
    <section
      className="face-group"
      aria-label={peopleTexts.groupOfFaces({ count })}
      aria-busy={busyGroups.value.has(id)}
      data-row=""
      data-chosen={chosenGroups.value.has(id) ? '' : undefined}
    >
      <header className="face-group-head" data-stop="head">
        <label className="face-group-choice" title={peopleTexts.chooseGroupsToMergeThem}>
          <input
            type="checkbox"
            className="checkbox checkbox-sm"
            aria-label={peopleTexts.chooseThisGroupOfFaces({ count })}
            checked={chosenGroups.value.has(id)}
            onChange={event => chooseGroup(group, event.target.checked)}
          />
          <h2 className="font-semibold">{baseTexts.faceCount({ count })}</h2>
        </label>
        <p className="soft ms-1 me-auto whitespace-nowrap">
          {untickedCount > 0 && peopleTexts.tickedCount({ count: ticked })}
        </p>
        {(untickedCount > 0 || isOpened) && (
          <HeadAction
            icon={ListChecks}
            text={untickedCount > 0 ? peopleTexts.tickAll : peopleTexts.tickNone}
            onClick={() => tickAll(group, untickedCount > 0)}
          />
        )}
        {/* While faces are unticked, the group stays open, so that they stay visible. */}
        {isOpened && untickedCount === 0 && (
          <HeadAction icon={ChevronsUp} text={baseTexts.showFewer} onClick={() => void openGroup(group, false)} />
        )}
        {untickedCount > 0 && ticked > 0 && (
          <HeadAction
            icon={Split}
            text={peopleTexts.splitOff({ faces: untickedCount })}
            title={peopleTexts.splitOffHint}
            onClick={() => void splitGroup(group)}
          />
        )}
        <HeadAction
          icon={ignored ? Undo2 : EyeOff}
          text={ignored ? adminTexts.restore : peopleTexts.ignore}
          onClick={() => void ignoreGroup(group, !ignored)}
        />
        <p className="face-group-note soft" role="status">
          {note}
        </p>
      </header>
      <Faces group={group} />
      <div className="face-group-foot" data-stop="foot">
        <Naming group={group} onName={who => void nameFaces(group, who)} />
      </div>
    </section>
  )
}
