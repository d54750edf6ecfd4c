/** Home: the gallery, or what to do while there is nothing to see. */
import { useSignals } from '@preact/signals-react/runtime'
import { Suspense, useEffect } from 'react'
import { loadAlbumsStyle } from '../albums/part.ts'
import { administeredCollections, collections } from '../app/collections.ts'
import { filter, filtered, openPerson, page, setPage } from '../app/current-filter.ts'
import { accountDialog, dialog } from '../app/dialogs.ts'
import { pageSize } from '../app/options.ts'
import { refusedQuery } from '../app/query-fault.ts'
import { firstStart } from '../app/runtime.ts'
import { globalAdmin, signedIn } from '../app/session.ts'
import { isCurrent, list, listFailed, paged, showsSkeleton, showsTimeline } from '../items/items.ts'
import { Pager } from '../items/pager.tsx'
import { loadAfterOutage } from '../items/reload-items-and-words.ts'
import { upperBarHeight, watchHead } from '../items/sliding-bars.ts'
import { scrubberMarks, timelineFailed } from '../items/timeline.ts'
import { later } from '../kit/later.tsx'
import { loadStyle } from '../kit/load-style.ts'
import { OutOfReach } from '../kit/out-of-reach.tsx'
import { pageCount } from '../kit/table/pages.ts'
import { loadPeople } from '../people/part.ts'
import { baseTexts } from '../texts/base.ts'
import { onGalleryKey } from './card-keys.ts'
import { Grid } from './grid.tsx'
import { homeState } from './home-state.ts'
import { Skeleton } from './skeleton.tsx'
import timelineStyle from './timeline/timeline.css' with { type: 'file' }

const loadAlbumHead = async () => (await Promise.all([import('../albums/album-head.tsx'), loadAlbumsStyle()]))[0]
const AlbumHead = later(async () => (await loadAlbumHead()).AlbumHead)
const AlbumEmpty = later(async () => (await loadAlbumHead()).AlbumEmpty)
const PersonHead = later(async () => (await loadPeople()).PersonHead)
const HomeEmpty = later(async () => (await import('./home-empty.tsx')).HomeEmpty)
const Timeline = later(async () => {
  const [{ Timeline: part }] = await Promise.all([import('./timeline/timeline.tsx'), loadStyle(timelineStyle)])
  return part
})

function Gallery() {
  useSignals()
  const { value } = list
  const pages = pageCount(value?.total ?? 0, pageSize.value)
  // If the page in the address does not exist any more, show the last one.
  useEffect(() => {
    if (isCurrent.value && paged.value && page.value > pages) setPage(pages, true)
  }, [pages])
  if (value === null) return null
  if (!isCurrent.value && showsSkeleton.value) return <Skeleton />
  if (showsTimeline.value && !timelineFailed.value) {
    return (
      <div className="gallery" key={value.key}>
        <h1 className="sr-only">{baseTexts.gallery}</h1>
        <Suspense>{scrubberMarks.value.total > 0 && <Timeline />}</Suspense>
      </div>
    )
  }
  if (!paged.value) {
    return (
      <div className="gallery" key={value.key}>
        <h1 className="sr-only">{baseTexts.gallery}</h1>
        <Grid start={0} count={value.total} endless />
      </div>
    )
  }
  const number = Math.min(page.value, pages)
  const start = (number - 1) * pageSize.value
  return (
    <div className="gallery paged">
      <h1 className="sr-only">{baseTexts.gallery}</h1>
      <Grid
        key={`${value.key} ${number} ${pageSize.value}`}
        start={start}
        count={Math.min(pageSize.value, value.total - start)}
        endless={false}
      />
      <Pager total={value.total} />
    </div>
  )
}

function HomeContent() {
  useSignals()
  useEffect(() => {
    addEventListener('keydown', onGalleryKey)
    return () => removeEventListener('keydown', onGalleryKey)
  }, [])
  const loadedCollections = collections.value
  const loadedList = list.value
  if (listFailed.value && !isCurrent.value)
    return refusedQuery.value?.q === filter.value.q ? (
      <Suspense>
        <HomeEmpty state="query" />
      </Suspense>
    ) : (
      <OutOfReach again={loadAfterOutage} />
    )
  if (loadedCollections === null || loadedList === null) return showsSkeleton.value ? <Skeleton /> : null
  if (filter.value.album !== 0 && loadedList.total === 0 && isCurrent.value && !filtered.value)
    return (
      <Suspense>
        <AlbumEmpty />
      </Suspense>
    )
  const state = homeState({
    signedIn: signedIn.value,
    globalAdmin: globalAdmin.value,
    mayScan: administeredCollections.value.length > 0,
    firstStart: firstStart.value,
    collections: loadedCollections.length,
    items: loadedList.total,
    filtered: filtered.value,
    dialogOpen: dialog.value !== null || accountDialog.value !== null,
  })
  if (state === 'quiet' || state === 'first') return null
  if (state === 'gallery') return <Gallery />
  return (
    <Suspense>
      <HomeEmpty state={state} />
    </Suspense>
  )
}

/** Home; an album or a person has its head above the gallery. */
export function Home() {
  useSignals()
  const person = openPerson.value
  if (filter.value.album === 0 && person === 0) return <HomeContent />
  return (
    <div className="album-view">
      <div ref={watchHead} className="album-top" style={{ top: upperBarHeight.value }}>
        <Suspense fallback={<div className="album-head-room" />}>
          {person === 0 ? <AlbumHead /> : <PersonHead key={person} id={person} />}
        </Suspense>
      </div>
      <div className="album-body">
        <HomeContent />
      </div>
    </div>
  )
}
