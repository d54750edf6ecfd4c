/** The window's size, and values derived from it. */
import { computed, signal } from '@preact/signals-react'
import { limits } from '../../schema/limits.ts'

export type Breakpoint = 'xs' | 'sm' | 'md' | 'lg' | 'xl' | 'xxl'

/** Lower bounds in CSS pixels, the same as in theme.css. */
const bounds = [
  ['xxl', 2560],
  ['xl', 1920],
  ['lg', 1280],
  ['md', 960],
  ['sm', 600],
] as const

export function breakpointOf(windowWidth: number): Breakpoint {
  return bounds.find(([, least]) => windowWidth >= least)?.[0] ?? 'xs'
}

/** A bottom bar, a rail of icons, or a sidebar, as in theme.css. A phone is recognised by its shorter side. */
export function frameOf(windowWidth: number, windowHeight: number): 'phone' | 'rail' | 'sidebar' {
  if (windowWidth < 600 || windowHeight < 500) return 'phone'
  return windowWidth < 960 ? 'rail' : 'sidebar'
}

export const windowWidth = signal(1440)
export const windowHeight = signal(900)

export const breakpoint = computed(() => breakpointOf(windowWidth.value))
export const columns = computed(() => limits.itemsPerRow[breakpoint.value])
export const frame = computed(() => frameOf(windowWidth.value, windowHeight.value))
export const phone = computed(() => frame.value === 'phone')
export const narrow = computed(() => breakpoint.value === 'xs')
/** Size of thumbnails by width: small for xs, sm, md; medium for lg and above. */
export const thumbnail = computed(() =>
  breakpoint.value === 'xs' || breakpoint.value === 'sm' || breakpoint.value === 'md' ? 'small' : 'medium',
)

function read(): void {
  windowWidth.value = innerWidth
  windowHeight.value = innerHeight
}

/** Starts tracking the window's size. */
export function startViewport(): void {
  addEventListener('resize', read)
  read()
}

/** Whether the user wants no motion. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** 1, or -1 in a page that is read from right to left, where the next picture is on the left. */
export const forward = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1)
