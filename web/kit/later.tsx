/** Components whose code is loaded when they are first shown. */
import { type ComponentType, createElement, lazy, type ReactNode } from 'react'
import { baseTexts } from '../texts/base.ts'

/** A component's code could not be loaded: no server, or a new version. `cause`: the error of the import. */
export class NotLoaded extends Error {
  override name = 'NotLoaded'
}

/** For each component that failed to load, the function that makes it load again. */
const forgetFailed = new Set<() => void>()

/**
 * Lets failed components load again. Called by error boundaries, because a call where the load fails would make React
 * retry endlessly.
 */
export function retryFailedComponents(): void {
  for (const forget of forgetFailed) forget()
  forgetFailed.clear()
}

/** A component that is loaded when it is first shown; throws `NotLoaded` when that fails. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const lazyPart = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (cause) {
        forgetFailed.add(forget)
        throw new NotLoaded(baseTexts.partNotLoaded, { cause })
      }
    })
  let part = lazyPart()
  function forget(): void {
    part = lazyPart()
  }
  return props => createElement<Props>(part, props)
}
