/** Slideshows: a zip of chosen items that opens as a web page offline. */
import { z } from 'zod'
import { isLanguageTag } from '../choose-language.ts'
import { atMost, endpoint, trueOrFalse } from './contract.ts'

const slideshowOptions = z.object({
  date: trueOrFalse.optional(),
  names: trueOrFalse.optional(),
  keywords: trueOrFalse.optional(),
  category: trueOrFalse.optional(),
  title: z
    .string()
    .trim()
    .max(...atMost('Title', 200))
    .optional(),
})
export type SlideshowOptions = z.output<typeof slideshowOptions>

const pageText = z.string().max(100)

/** The language of a slideshow's page and captions. */
export const slideshowLanguage = z.object({
  /** Such as 'fa-IR'. */
  tag: z.string().max(100).refine(isLanguageTag, 'The language is a tag such as de-AT'),
  texts: z.object({
    slideshow: pageText,
    play: pageText,
    pause: pageText,
    previous: pageText,
    next: pageText,
    close: pageText,
    /** '{position} of {count}': two numbers are filled in. */
    position: pageText,
  }),
})
export type SlideshowLanguage = z.output<typeof slideshowLanguage>

export const maxSlideshowItems = 5000

export const slideshowCalls = {
  create: endpoint('POST /v1/slideshow/create', {
    summary: 'Builds a slideshow; a message on BuildSlideshow announces its end, with the file id.',
    rule: { who: 'signedIn', refused: [400, 401, 413, 429] },
    query: slideshowOptions,
    body: z.object({
      items: z
        .array(z.int().positive())
        .min(1, 'No items available')
        .max(maxSlideshowItems, `A slideshow has at most ${maxSlideshowItems} items`),
      /** English by default. */
      language: slideshowLanguage.optional(),
    }),
    output: z.object({ id: z.int(), items: z.int() }),
  }),
}
