/** Builds a slideshow: its items, the server's progress, and saving it. */

import { signal } from '@preact/signals-react'
import { slideshowAddress } from '../../schema/addresses.ts'
import type { Job } from '../../schema/api/jobs.ts'
import { maxSlideshowItems, type SlideshowOptions } from '../../schema/api/slideshow.ts'
import { Refused } from '../../schema/client.ts'
import { ownLocale } from '../../schema/locale.ts'
import { channels } from '../../schema/realtime.ts'
import { api, base } from '../api.ts'
import { filter, filterQuery } from '../app/current-filter.ts'
import { followJob } from '../app/jobs/follow-job.ts'
import { addNotice } from '../app/jobs/notices.ts'
import { attempt, attemptValue, report, say } from '../app/messages.ts'
import { saveAs } from '../kit/save-as.ts'
import { subscribe } from '../socket.ts'
import { baseTexts } from '../texts/base.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import { sharingTexts } from '../texts/sharing.ts'

const language = {
  tag: ownLocale,
  texts: {
    slideshow: baseTexts.slideshow,
    play: baseTexts.play,
    pause: baseTexts.pause,
    previous: baseTexts.previous,
    next: baseTexts.next,
    close: baseTexts.close,
    position: baseTexts.doneOfTotal({ done: '{position}', total: '{count}' }),
  },
}

/** The slideshow being built; null if none. */
export const building = signal<{ id: number; done: number; total: number } | null>(null)

export const slideshowName = 'slideshow.zip'

/** Maximum milliseconds from the end of the build until its message arrives. */
const maxWaitMs = 20_000

/** The error for this number of items; '' if it is valid. */
export function slideshowFault(count: number): string {
  if (count === 0) return baseTexts.noItemsAvailable
  if (count > maxSlideshowItems) return sharingTexts.slideshowHasAtMostItems({ most: maxSlideshowItems })
  return ''
}

/** Ids of the present filter's items, newest first, and their total; null on failure, which is reported. */
export async function loadShownIds(): Promise<{ ids: readonly number[]; total: number } | null> {
  return attemptValue(baseTexts.failedToLoadItems, async () => {
    const response = await api.items.list({
      params: { collectionId: filter.peek().collection },
      query: { ...filterQuery.peek(), limit: maxSlideshowItems },
    })
    return { ids: response.items.map(({ id }) => id), total: response._meta.total_records }
  })
}

let unsubscribe: () => void = () => {}

function endBuild(): void {
  unsubscribe()
  unsubscribe = () => {}
  building.value = null
}

function saveSlideshow(fileid: string): void {
  endBuild()
  saveAs(slideshowAddress(fileid, base.value), slideshowName)
  addNotice('status', sharingTexts.slideshowIsReady, slideshowName)
  say(sharingTexts.slideshowIsReady, sharingTexts.itIsSavedAs({ slideshowName }))
}

/** Called when the slideshow was built, but its message has not arrived: the connection was lost meanwhile. */
function reportMissed(id: number): void {
  if (building.peek()?.id !== id) return
  endBuild()
  addNotice('error', sharingTexts.slideshowCouldNotBeDownloaded, sharingTexts.connectionLostHint)
}

function showProgress({ id, done, total }: Job): void {
  const { value } = building
  if (value?.id === id) building.value = { id, done, total: total ?? value.total }
}

async function followBuild(id: number): Promise<void> {
  const job = await followJob(id, showProgress)
  if (building.peek()?.id !== id) return
  if (job.state === 'done') {
    showProgress(job)
    setTimeout(reportMissed, maxWaitMs, id)
    return
  }
  endBuild()
  if (job.state !== 'cancelled')
    report(
      new Refused(400, serverMessage(job.error ?? job.message), undefined, 'invalid'),
      sharingTexts.failedToBuildSlideshow,
    )
}

function idOf(job: unknown): unknown {
  return typeof job === 'object' && job !== null && 'id' in job ? job.id : null
}

/** Starts a build. Returns the error, or '' if it has started. */
export async function buildSlideshow(ids: readonly number[], options: SlideshowOptions): Promise<string> {
  const complete = new Map<unknown, string>()
  // Subscribe before starting, because a small slideshow is built at once.
  const leave = subscribe(channels.slideshow, ({ action, fileid, job }) => {
    if (action !== 'complete' || fileid === undefined) return
    complete.set(idOf(job), fileid)
    if (building.peek()?.id === idOf(job)) saveSlideshow(fileid)
  })
  try {
    const { id, items } = await api.slideshow.create({ query: options, body: { items: [...ids], language } })
    unsubscribe()
    building.value = { id, done: 0, total: items }
    unsubscribe = leave
    void followBuild(id)
    const ready = complete.get(id)
    if (ready !== undefined) saveSlideshow(ready)
    return ''
  } catch (error) {
    leave()
    if (error instanceof Refused && error.status !== 401 && error.status < 500) return error.message
    report(error, sharingTexts.failedToBuildSlideshow)
    return sharingTexts.failedToBuildSlideshow
  }
}

export async function cancelSlideshow(): Promise<void> {
  const now = building.peek()
  if (now === null) return
  await attempt(sharingTexts.failedToStopTheSlideshow, async () => {
    await api.jobs.cancel({ params: { id: now.id } })
    endBuild()
  })
}
