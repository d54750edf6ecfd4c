/** Details of the open picture: date, texts, people, albums, place, camera, file. Unknown values are omitted. */
import { Star, X } from 'lucide-react'
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { go } from '../app/address.ts'
import { emptyFilter, freeText, writeFilter } from '../app/filter.ts'
import { clockTime, longDate, offsetText, sourceText } from '../kit/dates.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { Albums } from './details-albums.tsx'
import { Files } from './details-files.tsx'
import { Part } from './details-part.tsx'
import { People } from './details-people.tsx'
import { Place } from './details-place.tsx'

export function Stars({ rating, size = 18 }: { rating: number; size?: number }) {
  return (
    <span className="flex gap-1.5" role="img" aria-label={baseTexts.starsOfFive({ rating })}>
      {[1, 2, 3, 4, 5].map(star => (
        <Star
          key={star}
          size={size}
          fill={star <= rating ? 'currentColor' : 'none'}
          className={star <= rating ? '' : 'soft'}
          aria-hidden="true"
        />
      ))}
    </span>
  )
}

function WordList({ title, words }: { title: string; words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <Part title={title}>
      <ul className="flex flex-wrap gap-1.5">
        {words.map(word => (
          <li key={word} className="max-w-full">
            <button
              type="button"
              className="word"
              title={viewerTexts.showEverythingWith({ word })}
              onClick={() => go(`/${writeFilter({ ...emptyFilter, groups: [[freeText(word)]] })}`)}
            >
              <span className="truncate" dir="auto">
                {word}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Part>
  )
}

export function Details({ item, details, onClose }: { item: Item; details: ItemDetails | null; onClose: () => void }) {
  const { tags } = item
  const contents = (entries: readonly { content: string }[] | undefined) =>
    (entries ?? []).map(({ content }) => content)
  const source = sourceText(item.date_source)
  const offset = item.utc_offset === null ? '' : ` ${offsetText(item.utc_offset)}`
  return (
    <aside className="viewer-details" aria-label={baseTexts.details}>
      <header>
        <h2 className="text-base font-semibold">{baseTexts.details}</h2>
        <IconButton icon={X} aria-label={viewerTexts.closeTheDetails} className="ms-auto -me-2" onClick={onClose} />
      </header>
      <section>
        <p className="date-head font-semibold">{longDate(item.taken)}</p>
        <p className="text-xs soft mt-0.5">
          {clockTime(item.taken)}
          {offset}
          {source === '' ? '' : ` · ${source}`}
        </p>
        {tags.Description !== undefined && (
          <p className="mt-3 whitespace-pre-line break-words" dir="auto">
            {tags.Description.data}
          </p>
        )}
        {item.rating !== null && item.rating > 0 && (
          <div className="mt-3">
            <Stars rating={item.rating} />
          </div>
        )}
      </section>
      {item.problem !== null && (
        <p className="text-warning" dir="auto">
          {serverMessage(item.problem)}
        </p>
      )}
      <People item={item} />
      <WordList title={baseTexts.category} words={contents(tags.Category?.data)} />
      <WordList title={baseTexts.keywords} words={contents(tags.Keywords?.data)} />
      <Albums />
      <Place item={item} />
      {tags.Author !== undefined && (
        <Part title={baseTexts.author}>
          <p dir="auto">{listText(contents(tags.Author.data))}</p>
        </Part>
      )}
      {details !== null && <Files item={details} />}
    </aside>
  )
}
