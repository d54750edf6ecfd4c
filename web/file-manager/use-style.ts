/** The style sheet of the file manager, loaded with the file manager instead of the page. */
import { useEffect, useState } from 'react'
import { loadStyle } from '../kit/load-style.ts'
import style from './file-manager.css' with { type: 'file' }

export function useStyle(): boolean {
  const [styled, setStyled] = useState(false)
  useEffect(() => {
    const show = () => setStyled(true)
    loadStyle(style).then(show, show)
  }, [])
  return styled
}
