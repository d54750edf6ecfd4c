/** Components whose code is loaded when they are first shown. */
import { type ComponentType, createElement, lazy, type ReactNode } from 'react'
import { baseTexts } from '../texts/base.ts'

/** A component's code could not be loaded: no server, or a new version. `cause`: the error of the import. */
export class NotLoaded extends Error {
  override name = 'NotLoaded'
}

const refused = new Set<() => void>()

/** Loads failed components again when next shown, for error boundaries; React itself would retry endlessly. */
export function askAgain(): void {
  for (const forget of refused) forget()
  refused.clear()
}

/** A component that is loaded when it is first shown; throws `NotLoaded` when that fails. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const started = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (cause) {
        refused.add(forget)
        throw new NotLoaded(baseTexts.thisPart, { cause })
      }
    })
  let part = started()
  function forget(): void {
    part = started()
  }
  return props => createElement<Props>(part, props)
}
