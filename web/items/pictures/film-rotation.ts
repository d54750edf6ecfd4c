/** Rotates a film by CSS, because its stream is not rotated. */
import type { CSSProperties } from 'react'
import type { Size } from './zoom.ts'

/** Style that rotates a film within a box that has the film's rotated shape; undefined if it is not rotated. */
export function filmRotation({ width, height }: Size, degrees: number): CSSProperties | undefined {
  const turn = ((degrees % 360) + 360) % 360
  if (turn === 0) return undefined
  const ratio = turn === 180 || width <= 0 || height <= 0 ? 1 : height / width
  return {
    inset: 'auto',
    maxWidth: 'none',
    left: '50%',
    top: '50%',
    width: `${ratio * 100}%`,
    height: `${100 / ratio}%`,
    translate: '-50% -50%',
    rotate: `${turn}deg`,
  }
}
