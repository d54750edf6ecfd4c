/** Texts of the screen On this day. */
import { texts } from './catalogue.ts'

export const onThisDayTexts = texts('onThisDay', {
  // Specified, to the letter:
  failedToLoad: 'Failed to load On This Day',
  noItemsToday: 'No items today!',
  // Ours:
  moreCount: '{count} more',
  dayBefore: 'The day before',
  dayAfter: 'The day after',
  dayNotLoaded: 'This day could not be loaded',
  noMatchOnThisDay: 'No matching item was taken on this day of any year.',
  nothingOnThisDay: 'Nothing was taken on this day of any year. Try the days before and after.',
  nothingOnThatDay: 'Nothing was taken on that day of any year.',
  fromYears: { one: '{items} from {count} year', other: '{items} from {count} years' },
})
