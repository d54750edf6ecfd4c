/** The context of a file manager's components. */
import { createContext, useContext } from 'react'
import type { Controller } from './controller.ts'

export const ControllerContext = createContext<Controller | null>(null)

export function useController(): Controller {
  const controller = useContext(ControllerContext)
  if (controller === null) throw new Error('a part of the file manager is shown outside of it')
  return controller
}
