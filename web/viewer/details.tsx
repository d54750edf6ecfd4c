/** Details of the open picture: date, texts, people, place, camera, file. Unknown values are omitted. */
import { useSignals } from '@preact/signals-react/runtime'
import { Camera, File, FileVideo, Image, Star, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { sizeText } from '../../schema/figures.ts'
import { pictureOf } from '../api.ts'
import { go } from '../app/address.ts'
import { collections } from '../app/collections.ts'
import { emptyFilter, freeText, writeFilter } from '../app/filter.ts'
import { cameraLines, coordinatesText, fileLine, folderText, peopleOf } from '../items/item-text.ts'
import type { PictureBox } from '../items/pictures/region-rules.ts'
import { namedBoxesOf } from '../items/pictures/regions.tsx'
import { clockTime, longDate, offsetText, sourceText } from '../kit/dates.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { baseTexts } from '../texts/base.ts'
import { viewerTexts } from '../texts/viewer.ts'

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

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="eyebrow mb-2">{title}</h3>
      {children}
    </section>
  )
}

const faceSize = 44

/** A round crop of a face, a little larger than its box, so that it looks natural. */
function Face({ item, share }: { item: Item; share: PictureBox }) {
  const [width, height] = [share.width * item.width, share.height * item.height]
  const side = Math.max(width, height) * 1.3
  const factor = faceSize / side
  const middle = { x: (share.x + share.width / 2) * item.width, y: (share.y + share.height / 2) * item.height }
  return (
    <span
      className="block relative overflow-hidden rounded-full bg-base-300 shrink-0"
      style={{ width: faceSize, height: faceSize }}
    >
      <img
        src={pictureOf(item, 'medium')}
        alt=""
        className="absolute max-w-none"
        style={{
          width: item.width * factor,
          height: item.height * factor,
          left: faceSize / 2 - middle.x * factor,
          top: faceSize / 2 - middle.y * factor,
        }}
      />
    </span>
  )
}

function People({ item }: { item: Item }) {
  const names = peopleOf(item)
  const shares = namedBoxesOf(item).filter(({ kind }) => kind === 'person')
  if (names.length === 0) return null
  return (
    <Part title={baseTexts.people}>
      <ul className="flex flex-wrap gap-x-6 gap-y-3">
        {names.map(name => {
          const share = shares.find(one => one.name === name)?.share
          return (
            <li key={name} className="flex items-center gap-2.5 min-w-0">
              {share !== undefined && <Face item={item} share={share} />}
              <span className="truncate" dir="auto">
                {name}
              </span>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

function Words({ title, words }: { title: string; words: readonly string[] }) {
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

function Place({ item }: { item: Item }) {
  const place = item.tags.Locations?.data
  if (place === undefined) return null
  const { placeName, latitude, longitude } = place
  const known = latitude !== null && longitude !== null
  if (placeName === '' && !known) return null
  return (
    <Part title={viewerTexts.place}>
      {placeName !== '' && <p dir="auto">{placeName}</p>}
      {known && <p className="text-xs soft">{coordinatesText(latitude, longitude)}</p>}
    </Part>
  )
}

function Line({ icon: Icon, title, children }: { icon: typeof File; title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <Icon size={18} className="soft shrink-0 mt-px" aria-hidden="true" />
      <div className="min-w-0">
        <p className="break-words" dir="auto">
          {title}
        </p>
        <div className="text-xs soft break-words">{children}</div>
      </div>
    </div>
  )
}

function Files({ item }: { item: ItemDetails }) {
  useSignals()
  const { name, settings, lens } = cameraLines(item)
  return (
    <div className="grid gap-4 border-t hair pt-5">
      {(name !== '' || settings !== '') && (
        <Line icon={Camera} title={name === '' ? settings : name}>
          {name !== '' && settings !== '' && <p>{settings}</p>}
          {lens !== '' && <p>{lens}</p>}
        </Line>
      )}
      <Line icon={item.type === 'video' ? FileVideo : Image} title={item.name}>
        <p>{fileLine(item)}</p>
        <p dir="auto">{folderText(item, collections.value?.find(({ id }) => id === item.collection_id)?.path)}</p>
      </Line>
      {item.files.map(file => (
        <Line key={file.name} icon={File} title={file.name}>
          <p>
            {file.role} · {sizeText(file.size)}
          </p>
        </Line>
      ))}
    </div>
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
      <header className="flex items-center">
        <h2 className="text-base font-semibold">{baseTexts.details}</h2>
        <IconButton icon={X} aria-label={viewerTexts.closeTheDetails} className="ms-auto -me-2" onClick={onClose} />
      </header>
      <section>
        <p className="font-semibold">{longDate(item.taken)}</p>
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
      {item.problem !== null && <p className="text-warning">{item.problem}</p>}
      <People item={item} />
      <Words title={baseTexts.category} words={contents(tags.Category?.data)} />
      <Words title={baseTexts.keywords} words={contents(tags.Keywords?.data)} />
      <Place item={item} />
      {tags.Author !== undefined && (
        <Part title={baseTexts.author}>
          <p dir="auto">{contents(tags.Author.data).join(', ')}</p>
        </Part>
      )}
      {details !== null && <Files item={details} />}
    </aside>
  )
}
