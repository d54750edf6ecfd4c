/** Display options of this browser, such as view, page size and theme. */
import { computed, signal } from '@preact/signals-react'
import { z } from 'zod'
import { defaultSearchTags, limits, searchableTags } from '../../schema/limits.ts'
import { readStored, writeStored } from '../kit/stored.ts'
import { phone, windowHeight } from '../kit/viewport.ts'

export const viewModes = ['Paging', 'Infinite Scroll', 'Timeline'] as const
/** Wanted heights of the timeline's rows in pixels. With the smallest, pictures are grouped by month, not by day. */
export const rowHeights = [400, 320, 240, 200, 144, 112, 80, 56] as const
export const themes = ['dark', 'light'] as const
export const rotations = [0, 90, 180, 270] as const

const options = z.object({
  view: z.enum(viewModes).catch('Paging'),
  pageSize: z
    .number()
    .refine(size => limits.pageSizes.some(known => known === size))
    .catch(limits.pageSize),
  searchTags: z
    .array(z.enum(searchableTags))
    .min(1)
    .catch([...defaultSearchTags]),
  /** One of `rowHeights`; null is the usual one for the device. */
  rowHeight: z
    .number()
    .refine(height => rowHeights.some(known => known === height))
    .nullable()
    .catch(null),
  theme: z.enum(themes).catch('dark'),
  /** '' follows the browser. */
  language: z.string().max(20).catch(''),
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).catch(0),
  /** Whether the viewer shows the details panel; `regions`: whether it shows boxes. */
  details: z.boolean().catch(false),
  regions: z.boolean().catch(false),
})
export type Options = z.output<typeof options>

const all = signal<Options>(options.parse({}))

export const view = computed(() => all.value.view)
export const pageSize = computed(() => all.value.pageSize)
export const searchTags = computed(() => all.value.searchTags)
export const rowHeight = computed(
  () => all.value.rowHeight ?? (!phone.value ? 200 : windowHeight.value < 500 ? 168 : 144),
)
export const theme = computed(() => all.value.theme)
/** The chosen language; '' follows the browser. */
export const chosenLanguage = computed(() => all.value.language)
export const rotation = computed(() => all.value.rotation)
export const details = computed(() => all.value.details)
export const regions = computed(() => all.value.regions)

export function loadOptions(): void {
  all.value = readStored('keepsake.options', options) ?? options.parse({})
}

/** Changes options; they apply and are remembered at once. */
export function setOptions(change: Partial<Options>): void {
  all.value = { ...all.value, ...change }
  writeStored('keepsake.options', all.value)
}
