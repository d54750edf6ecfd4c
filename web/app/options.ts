/** Display options of this browser, such as view, page size and theme. */
import { computed, signal } from '@preact/signals-react'
import { z } from 'zod'
import { defaultSearchTags, limits, searchableTags } from '../../schema/limits.ts'
import { readStored, writeStored } from '../kit/stored.ts'
import { phone, windowHeight } from '../kit/viewport.ts'

export const viewModes = ['Paging', 'Infinite Scroll', 'Timeline'] as const
/** Heights of the timeline's rows to choose from, in pixels. With the smallest, pictures are grouped by month, not by day. */
export const rowHeights = [400, 320, 240, 200, 144, 112, 80, 56] as const
export const themes = ['dark', 'light'] as const
export const rotations = [0, 90, 180, 270] as const

const optionsShape = z.object({
  view: z.enum(viewModes).catch('Paging'),
  pageSize: z
    .number()
    .refine(size => limits.pageSizes.some(known => known === size))
    .catch(limits.pageSize),
  searchTags: z
    .array(z.enum(searchableTags))
    .min(1)
    .catch([...defaultSearchTags]),
  /** One of `rowHeights`; null means the default for the size of the window. */
  rowHeight: z
    .number()
    .refine(height => rowHeights.some(known => known === height))
    .nullable()
    .catch(null),
  theme: z.enum(themes).catch('dark'),
  /** '' follows the browser. */
  language: z.string().max(20).catch(''),
  /** That of the signed-in user's profile, which comes first; '' if there is none. */
  profileLanguage: z.string().max(20).catch(''),
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).catch(0),
  /** Whether the viewer shows the details panel. */
  details: z.boolean().catch(false),
  /** Whether the viewer shows the boxes of people and objects. */
  regions: z.boolean().catch(false),
})
export type Options = z.output<typeof optionsShape>

const stored = signal<Options>(optionsShape.parse({}))

export const view = computed(() => stored.value.view)
export const pageSize = computed(() => stored.value.pageSize)
export const searchTags = computed(() => stored.value.searchTags)
export const rowHeight = computed(
  () => stored.value.rowHeight ?? (!phone.value ? 200 : windowHeight.value < 500 ? 168 : 144),
)
export const theme = computed(() => stored.value.theme)
/** The chosen language, the user's before this browser's; '' follows the browser. */
export const chosenLanguage = computed(() => stored.value.profileLanguage || stored.value.language)
export const rotation = computed(() => stored.value.rotation)
export const showsDetails = computed(() => stored.value.details)
export const showsBoxes = computed(() => stored.value.regions)

export function loadOptions(): void {
  stored.value = readStored('keepsake.options', optionsShape) ?? optionsShape.parse({})
}

/** Changes options; they apply and are remembered at once. */
export function setOptions(change: Partial<Options>): void {
  stored.value = { ...stored.value, ...change }
  writeStored('keepsake.options', stored.value)
}
