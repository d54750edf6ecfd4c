/** One group of duplicates: its pictures side by side, which one is kept, and which are recycled. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff, Maximize2 } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import type { Duplicate } from '../../../schema/api/items.ts'
import { inOwnDigits, sizeText } from '../../../schema/figures.ts'
import { pictureOf } from '../../api.ts'
import { useBroken } from '../../app/loading/use-broken.ts'
import { rotationOf } from '../../items/item-text.ts'
import { openOneOf } from '../../items/open-item.ts'
import { placeholderUrl } from '../../items/pictures/thumbhash.ts'
import { Button } from '../../kit/button.tsx'
import { durationText, exactDate, shortDate, sourceText } from '../../kit/dates.ts'
import { listText } from '../../kit/words.ts'
import { duplicatesTexts } from '../../texts/admin/duplicates.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { collectionName } from '../job-list.ts'
import {
  bytesOf,
  type Group,
  groupKeyOf,
  meritsOf,
  proposalFor,
  recycledOf,
  tagCount,
  withKept,
  withNotRecycled,
} from './duplicate-choice.ts'
import { choiceFor, mergeGroups, setChoice, skipGroup } from './duplicates.ts'

function Picture({ item, group }: { item: Duplicate; group: Group }) {
  const source = pictureOf(item, 'small')
  const { broken, onError } = useBroken(source)
  return (
    <span className="twin-picture" style={{ backgroundImage: placeholderOf(item) }}>
      {item.problem === null && !broken ? (
        <img src={source} alt="" loading="lazy" decoding="async" onError={onError} />
      ) : (
        <span className="twin-failed">
          <ImageOff size={28} strokeWidth={1.25} aria-hidden="true" />
          {item.problem === null ? duplicatesTexts.pictureCannotBeShown : serverMessage(item.problem)}
        </span>
      )}
      {item.duration !== null && <span className="twin-time on-pic">{durationText(item.duration)}</span>}
      <button
        type="button"
        className="twin-open on-pic"
        aria-label={duplicatesTexts.lookAtItem({ name: item.name })}
        title={duplicatesTexts.lookAtIt}
        onClick={event => {
          event.preventDefault()
          const ids = group.map(({ id }) => id)
          openOneOf(ids, ids.indexOf(item.id))
        }}
      >
        <Maximize2 size={16} aria-hidden="true" />
      </button>
    </span>
  )
}

function placeholderOf(item: Duplicate): string | undefined {
  const url = placeholderUrl(item.thumbhash, rotationOf(item))
  return url === null ? undefined : `url(${url})`
}

function Facts({ item, group }: { item: Duplicate; group: Group }) {
  useSignals()
  const merits = meritsOf(group, item)
  const classFor = (...of: string[]) => (of.some(merit => merits.includes(merit)) ? 'font-semibold' : 'soft')
  const source = sourceText(item.date_source)
  const folder = item.path.slice(0, Math.max(0, item.path.lastIndexOf('/')))
  const parts = folder.startsWith('/') ? [folder] : [collectionName(item.collection_id), folder]
  const place = parts.filter(part => part !== '').join(' / ')
  const tags = tagCount(item)
  return (
    <span className="twin-facts">
      <span className="block truncate font-semibold" title={item.name} dir="auto">
        {item.name}
      </span>
      <span className="block truncate-front soft" title={place}>
        <bdi>{place}</bdi>
      </span>
      <span className={`block ${classFor(duplicatesTexts.largestPicture, duplicatesTexts.largestFile)}`}>
        {item.width > 0 && inOwnDigits(`${item.width} × ${item.height} · `)}
        {sizeText(item.size)}
      </span>
      <span
        className={`block truncate ${classFor(duplicatesTexts.itsOwnDate, duplicatesTexts.oldestDate)}`}
        title={exactDate(item)}
      >
        {shortDate(item.taken)}
        {source !== '' && `, ${source}`}
      </span>
      <span className={`block ${classFor(duplicatesTexts.maxTags)}`}>
        {tags === 0 ? duplicatesTexts.noTags : duplicatesTexts.tagCount({ count: tags })}
      </span>
    </span>
  )
}

/** One picture of the group: kept, recycled, or left as it is. `name` is that of the group's radio buttons. */
function DuplicateItem({ item, group, name }: { item: Duplicate; group: Group; name: string }) {
  useSignals()
  const choice = choiceFor(group)
  const proposed = proposalFor(group).keep
  const kept = item.id === choice.keep
  const stays = kept || choice.notRecycled.includes(item.id)
  const merits = meritsOf(group, item)
  return (
    <div className="twin" data-kept={kept} data-stays={stays}>
      <label className="twin-choice">
        <input
          type="radio"
          className="sr-only"
          name={name}
          checked={kept}
          aria-label={duplicatesTexts.keep({ name: item.name })}
          onChange={() => setChoice(group, withKept(choice, item.id))}
        />
        <Picture item={item} group={group} />
        <Facts item={item} group={group} />
      </label>
      <div className="twin-foot">
        {kept ? (
          <p className="twin-verdict">
            <b className="font-semibold">{adminTexts.keep}</b>
            <span className="soft truncate">
              {item.id === proposed
                ? merits.length > 0
                  ? listText(merits)
                  : duplicatesTexts.proposed
                : duplicatesTexts.yourChoice}
            </span>
          </p>
        ) : (
          <label className="twin-verdict">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={!stays}
              aria-label={adminTexts.delete({ name: item.name })}
              onChange={event => setChoice(group, withNotRecycled(choice, item.id, !event.target.checked))}
            />
            {baseTexts.delete}
          </label>
        )}
      </div>
    </div>
  )
}

export function DuplicateGroup({
  group,
  onStep,
}: {
  group: Group
  /** Focuses the next or previous group; `keepScroll`: without scrolling. Returns false if there is none. */
  onStep: (by: 1 | -1, keepScroll?: boolean) => boolean
}) {
  useSignals()
  const name = useId()
  const choice = choiceFor(group)
  const going = recycledOf(group, choice)
  const merge = () => {
    // Focus another group before this one is removed.
    if (!onStep(1, true)) onStep(-1, true)
    void mergeGroups([group])
  }
  const onKey = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLInputElement) || event.metaKey || event.ctrlKey || event.altKey) return
    switch (event.key) {
      case 'ArrowDown':
        onStep(1)
        break
      case 'ArrowUp':
        onStep(-1)
        break
      case 'Enter':
        // A held key acts on one group only.
        if (event.repeat) break
        if (going.length > 0) merge()
        break
      case 's':
        if (!onStep(1, true)) onStep(-1, true)
        skipGroup(group)
        break
      default:
        return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const keep = group.find(({ id }) => id === choice.keep)
  return (
    <section
      className="twins"
      aria-label={duplicatesTexts.copiesOf({ count: group.length, name: keep?.name ?? '' })}
      onKeyDown={onKey}
      data-group={groupKeyOf(group)}
    >
      <header className="twins-head">
        <p>
          <b className="font-semibold">{duplicatesTexts.copyCount({ count: group.length })}</b>
          <span className="soft">
            {' '}
            ·{' '}
            {going.length === 0
              ? duplicatesTexts.allStay
              : duplicatesTexts.lessBytes({ size: sizeText(bytesOf(going)) })}
          </span>
        </p>
        <Button
          look="ghost"
          small
          className="h-[max(32px,var(--tap))]"
          text={duplicatesTexts.skip}
          onClick={() => skipGroup(group)}
        />
        <Button
          look="quiet"
          small
          className="h-[max(32px,var(--tap))]"
          text={
            going.length === 0
              ? duplicatesTexts.keepAll
              : duplicatesTexts.keepDelete({ kept: group.length - going.length, deleted: going.length })
          }
          disabled={going.length === 0}
          onClick={merge}
        />
      </header>
      <div className="twins-row" role="radiogroup" aria-label={adminTexts.keep}>
        {group.map(item => (
          <DuplicateItem key={item.id} item={item} group={group} name={name} />
        ))}
      </div>
    </section>
  )
}
