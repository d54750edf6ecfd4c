/** The window's size, and what depends on it. */
import { computed, signal } from '@preact/signals-react'
import { limits } from '../../schema/limits.ts'
import { breakpointOf, frameOf } from './grid-layout.ts'

export const windowWidth = signal(1440)
export const windowHeight = signal(900)

export const breakpoint = computed(() => breakpointOf(windowWidth.value))
export const columns = computed(() => limits.itemsPerRow[breakpoint.value])
/** What surrounds the screens. */
export const frame = computed(() => frameOf(windowWidth.value, windowHeight.value))
export const phone = computed(() => frame.value === 'phone')
/** Too narrow for two things side by side. */
export const narrow = computed(() => breakpoint.value === 'xs')
/** Thumbnail by width: small for xs, sm, md; medium for lg and above. */
export const thumbnail = computed(() =>
  breakpoint.value === 'xs' || breakpoint.value === 'sm' || breakpoint.value === 'md' ? 'small' : 'medium',
)

function read(): void {
  windowWidth.value = innerWidth
  windowHeight.value = innerHeight
}

/** Begins to follow the window's size. */
export function startViewport(): void {
  addEventListener('resize', read)
  read()
}
