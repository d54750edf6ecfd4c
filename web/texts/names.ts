/** What the pages call screens and kinds of tags. Code and API use the English names. */
import { baseTexts } from './base.ts'

/** Names of the screens by route. */
const screens: Readonly<Record<string, string>> = {
  Home: baseTexts.home,
  'On this day': baseTexts.onThisDay,
  'World Map': baseTexts.worldMap,
  'Screen Saver': baseTexts.screenSaver,
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
