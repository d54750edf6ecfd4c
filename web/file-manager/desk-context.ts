/** The context of a file manager's components. */
import { createContext, useContext } from 'react'
import type { Desk } from './desk.ts'

export const DeskContext = createContext<Desk | null>(null)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === null) throw new Error('a part of the file manager is shown outside of it')
  return desk
}
