/** Translated names of screens, tag sets and jobs, and the results of jobs. Code and API use the English names. */
import type { Job } from '../../schema/api/jobs.ts'
import { messageKey } from '../../schema/figures.ts'
import { jobActivities, jobStates, jobTitles } from '../../schema/job-words.ts'
import { baseTexts } from './base.ts'
import { texts } from './catalogue.ts'

/** Names of the screens by route. */
const screens: Readonly<Record<string, string>> = {
  Home: baseTexts.home,
  Albums: baseTexts.albums,
  People: baseTexts.people,
  Places: baseTexts.places,
  'On this day': baseTexts.onThisDay,
  'World Map': baseTexts.worldMap,
  'Screen Saver': baseTexts.screenSaver,
  'My links': baseTexts.myLinks,
  Token: baseTexts.token,
  Plugin: baseTexts.plugin,
  Admin: baseTexts.admin,
  Collections: baseTexts.collections,
  'Transfer Items': baseTexts.transferItems,
  'Manage Tags': baseTexts.manageTags,
  'Item Metadata': baseTexts.itemMetadata,
  Management: baseTexts.management,
  Jobs: baseTexts.jobs,
  Duplicates: baseTexts.duplicates,
  'Unnamed Faces': baseTexts.unnamedFaces,
  Users: baseTexts.users,
  Files: baseTexts.files,
}

export const screenName = (route: string): string => screens[route] ?? route

export const tagNames = {
  Category: baseTexts.category,
  Keywords: baseTexts.keywords,
  People: baseTexts.people,
  Author: baseTexts.author,
} as const

/** Names of kinds of suggestions. */
export const suggestionKindNames = { ...tagNames, Objects: baseTexts.objects, Places: baseTexts.places } as const

const activities = texts('jobActivities', jobActivities)
const titles = texts('jobTitles', jobTitles)
const states = texts('jobStates', jobStates)

export const jobResultTexts = texts('jobResults', {
  scanned: '{name} is scanned',
  sorted: '{name} is sorted',
  imported: 'The import into {name} is done',
  metadataRead: 'The metadata of {name} is read',
  metadataWritten: 'The metadata of {name} is written',
  facesFound: 'Faces were looked for in {name}',
  stopped: '{job} stopped',
  failed: '{job} failed',
  unchanged: 'Nothing changed',
  new: '{number} new',
  changed: '{number} changed',
  moved: '{number} moved',
  copied: '{number} copied',
  written: '{number} written',
  missing: '{number} missing',
  skipped: '{number} left as they are',
  problemCount: { one: '{count} problem', other: '{count} problems' },
})

/** For example 'Scanning'. */
export const activityName = (kind: string): string => activities[messageKey(activities, kind)]

/** For example 'Scan of Family'. */
export function jobName(kind: string, name: string): string {
  const title = titles[messageKey(titles, kind)]
  return typeof title === 'string' ? title : title({ name })
}

export const jobStateName = (state: Job['state']): string => states[state]
