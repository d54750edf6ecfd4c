/** The style of the file manager, fetched with it and not with the page. */
import { useEffect, useState } from 'react'
import style from './file-manager.css' with { type: 'file' }

/** Loads it once; resolves when it is there, or will not come. */
function load(): Promise<void> {
  const known = document.querySelector<HTMLLinkElement>(`link[href="${style}"]`)
  if (known?.sheet != null) return Promise.resolve()
  const link = known ?? document.createElement('link')
  return new Promise(done => {
    link.addEventListener('load', () => done())
    link.addEventListener('error', () => done())
    if (known !== null) return
    link.rel = 'stylesheet'
    link.href = style
    document.head.append(link)
  })
}

export function useStyle(): boolean {
  const [styled, setStyled] = useState(false)
  useEffect(() => {
    void load().then(() => setStyled(true))
  }, [])
  return styled
}
