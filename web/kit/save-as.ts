/** Makes the browser save a file, as a link would. `name` is used if the server suggests none. */
export function saveAs(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.rel = 'noreferrer'
  document.body.append(link)
  link.click()
  link.remove()
}
