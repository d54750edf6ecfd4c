/** Loads a style sheet once. Rejects if that fails; the next call tries again. */
export function loadStyle(address: string): Promise<void> {
  const known = document.querySelector<HTMLLinkElement>(`link[href="${address}"]`)
  if (known?.sheet != null) return Promise.resolve()
  const link = known ?? document.createElement('link')
  return new Promise((done, fail) => {
    link.addEventListener('load', () => done())
    link.addEventListener('error', () => {
      link.remove()
      fail(new TypeError(`${address} could not be loaded`))
    })
    if (known !== null) return
    link.rel = 'stylesheet'
    link.href = address
    document.head.append(link)
  })
}
