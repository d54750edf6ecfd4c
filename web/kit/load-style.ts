/** Loads a style sheet once; resolves when it is loaded or has failed. */
export function loadStyle(address: string): Promise<void> {
  const known = document.querySelector<HTMLLinkElement>(`link[href="${address}"]`)
  if (known?.sheet != null) return Promise.resolve()
  const link = known ?? document.createElement('link')
  return new Promise(done => {
    link.addEventListener('load', () => done())
    link.addEventListener('error', () => done())
    if (known !== null) return
    link.rel = 'stylesheet'
    link.href = address
    document.head.append(link)
  })
}
