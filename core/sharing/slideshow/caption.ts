/** The caption of a slide, as configured. */
import type { Item } from '../../../schema/api/items.ts'
import type { SlideshowOptions } from '../../../schema/api/slideshow.ts'

function joined(entries: readonly { content: string }[] | undefined): string {
  return (entries ?? []).map(({ content }) => content).join(', ')
}

/** The lines of a caption that are not empty. The option `names` shows the people on the picture. `language`: a tag. */
export function captionOf(item: Item, options: SlideshowOptions, language: string): string[] {
  const { tags } = item
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const people = (tags.People?.data ?? []).filter(({ person }) => person !== 0).map(({ name }) => name)
  const lines = [
    options.names === true ? [...new Set(people)].join(', ') : '',
    options.category === true ? joined(tags.Category?.data) : '',
    options.keywords === true ? joined(tags.Keywords?.data) : '',
    options.date === true ? day.format(item.taken * 1000) : '',
  ]
  return lines.filter(line => line !== '')
}
