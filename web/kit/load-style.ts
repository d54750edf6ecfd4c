/** Loads a style sheet once. Rejects if that fails; the next call tries again. */
export function loadStyle(address: string): Promise<void> {
  const existing = document.querySelector<HTMLLinkElement>(`link[href="${address}"]`)
  if (existing?.sheet != null) return Promise.resolve()
  const link = existing ?? document.createElement('link')
  return new Promise((done, fail) => {
    link.addEventListener('load', () => done())
    link.addEventListener('error', () => {
      link.remove()
      fail(new TypeError(`${address} could not be loaded`))
    })
    if (existing !== null) return
    link.rel = 'stylesheet'
    link.href = address
    document.head.append(link)
  })
}
